import type { ObjectLimits } from '@unikorn/core/limits';

/** What an operator may set; everything has a default that suits a laptop and a small cloud alike. */
export interface RegionConfiguration {
  /** How often the monitor looks at every server. */
  readonly monitorPeriod_ms?: number;
  /** Principals the monitor asks a provider about at once. */
  readonly monitorConcurrency?: number;
  /** How often a server whose creation the provider failed is created before it is given up. */
  readonly serverCreateAttempts?: number;
  /**
   * Calls of the provider of one region that may be under way at once. Clouds refuse, or slow down, callers who send
   * more.
   */
  readonly providerCalls?: number;
  /** How long the history of a resource is kept, also once the resource is gone. */
  readonly historyRetention_ms?: number;
  /**
   * How many security groups, images and so on there may be in one place, where it is not what the table of limits
   * says.
   */
  readonly objectLimits?: Partial<ObjectLimits>;
}

export const defaultConfiguration: Required<RegionConfiguration> = {
  monitorPeriod_ms: 60_000,
  monitorConcurrency: 8,
  serverCreateAttempts: 3,
  providerCalls: 64,
  historyRetention_ms: 90 * 24 * 3600_000,
  objectLimits: {},
};
