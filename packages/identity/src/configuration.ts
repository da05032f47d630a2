import type { ObjectLimits } from '@unikorn/core/limits';

import type { ExtraRole } from './access/index.ts';
import type { ConfiguredClient, ConfiguredProvider } from './oauth2/index.ts';

/** The configuration of identity. */
export interface IdentityConfiguration {
  /** Roles in addition to the built-in ones. */
  readonly roles?: readonly ExtraRole[];
  /** The names of platform-wide roles, by the mail address of a user or the id of a service account. */
  readonly globalBindings?: Readonly<Record<string, readonly string[]>>;
  /** The name of the role of each service, by the common name of its certificate. */
  readonly services?: Readonly<Record<string, string>>;
  /** The applications that users may log in to. */
  readonly clients?: readonly ConfiguredClient[];
  /** Login providers for all users, in addition to passwords. */
  readonly providers?: readonly ConfiguredProvider[];
  /** The lifetime of a service account's token; 90 days by default. */
  readonly serviceAccountTokenLifetime_ms?: number;
  /** How long the history of a project is kept, also after the project is deleted; 90 days by default. */
  readonly historyRetention_ms?: number;
  /** The maximum number of projects, groups and so on per organization, if it differs from the table of limits. */
  readonly objectLimits?: Partial<ObjectLimits>;
}

/** How long histories are kept by default. */
export const defaultHistoryRetention_ms = 90 * 24 * 3600_000;

/** The default names of the platform's services. */
export const defaultServices: Readonly<Record<string, string>> = {
  'unikorn-region': 'region-service',
  'unikorn-compute': 'compute-service',
  'unikorn-kubernetes': 'kubernetes-service',
  'uni-storage': 'storage-service',
};
