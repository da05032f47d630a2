import type { ObjectLimits } from '@unikorn/core/limits';

import type { ExtraRole } from './access/index.ts';
import type { ConfiguredClient, ConfiguredProvider } from './oauth2/index.ts';

/** What a deployment decides about identity. */
export interface IdentityConfiguration {
  /** Roles besides the built-in ones. */
  readonly roles?: readonly ExtraRole[];
  /** By the mail address of a user or the id of a service account, the names of roles they hold everywhere. */
  readonly globalBindings?: Readonly<Record<string, readonly string[]>>;
  /** By the common name of a service's certificate, the name of its role. */
  readonly services?: Readonly<Record<string, string>>;
  /** The applications people may log in to. */
  readonly clients?: readonly ConfiguredClient[];
  /** Providers everybody may log in through, besides with a password. */
  readonly providers?: readonly ConfiguredProvider[];
  /** How long the token of a service account is good for; 90 days unless it is said. */
  readonly serviceAccountTokenLifetime_ms?: number;
  /** How long the history of a project is kept, also once the project is gone; 90 days unless given. */
  readonly historyRetention_ms?: number;
  /** How many projects, groups and so on an organization may have, where it is not what the table of limits says. */
  readonly objectLimits?: Partial<ObjectLimits>;
}

/** How long histories are kept unless a deployment decides otherwise. */
export const defaultHistoryRetention_ms = 90 * 24 * 3600_000;

/** The names our own services have by default. */
export const defaultServices: Readonly<Record<string, string>> = {
  'unikorn-region': 'region-service',
  'unikorn-compute': 'compute-service',
  'unikorn-kubernetes': 'kubernetes-service',
  'uni-storage': 'storage-service',
};
