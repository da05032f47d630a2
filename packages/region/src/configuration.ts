import type { ObjectLimits } from '@unikorn/core/limits';

/** The settings of an operator. All of them have defaults that suit a laptop and a small cloud. */
export interface RegionConfiguration {
  /** How often the monitor checks every server. */
  readonly monitorPeriod_ms?: number;
  /** Concurrent calls of the monitor to providers, one per principal. */
  readonly monitorConcurrency?: number;
  /** How often the creation of a server is attempted before it is given up. */
  readonly serverCreateAttempts?: number;
  /** Concurrent calls to the provider of one region. Clouds refuse or slow down callers that send more. */
  readonly providerCalls?: number;
  /** How long the history of a resource is kept, also after the resource was deleted. */
  readonly historyRetention_ms?: number;
  /** Limits for the number of security groups, images and so on, if they differ from the defaults. */
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
