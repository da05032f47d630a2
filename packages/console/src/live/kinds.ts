import type { Unikorn } from '@unikorn/sdk';

import { limits } from '../limits.ts';
import type { OpenOptions } from './hub.ts';
import { recent } from './recent.ts';

/** Which objects a list contains. */
export interface Scope {
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
  /** Only for kinds whose lists can be filtered by region. */
  readonly region?: string | undefined;
}

/** The kinds that can be followed. A new kind needs one line here. */
export const kinds = {
  instances: ({ compute }: Unikorn, scope: Scope, options: OpenOptions) =>
    compute.follow('/api/v2/instances', { params: { query: queryOf(scope) }, ...options }),
  networks: ({ region }: Unikorn, scope: Scope, options: OpenOptions) =>
    region.follow('/api/v2/networks', { params: { query: queryOf(scope) }, ...options }),
  securityGroups: ({ region }: Unikorn, scope: Scope, options: OpenOptions) =>
    region.follow('/api/v2/securitygroups', { params: { query: queryOf(scope) }, ...options }),
  loadBalancers: ({ region }: Unikorn, scope: Scope, options: OpenOptions) =>
    region.follow('/api/v2/loadbalancers', { params: { query: queryOf(scope) }, ...options }),
  fileStorage: ({ region }: Unikorn, scope: Scope, options: OpenOptions) =>
    region.follow('/api/v2/filestorage', { params: { query: queryOf(scope) }, ...options }),
  sshAuthorities: ({ region }: Unikorn, scope: Scope, options: OpenOptions) =>
    region.follow('/api/v2/sshcertificateauthorities', { params: { query: queryOf(scope) }, ...options }),
  projects: ({ identity }: Unikorn, { organization = '' }: Scope, options: OpenOptions) =>
    identity.follow('/api/v1/organizations/{organizationID}/projects', {
      params: { path: { organizationID: organization } },
      ...options,
    }),
  groups: ({ identity }: Unikorn, { organization = '' }: Scope, options: OpenOptions) =>
    identity.follow('/api/v1/organizations/{organizationID}/groups', {
      params: { path: { organizationID: organization } },
      ...options,
    }),
  organizations: ({ identity }: Unikorn, _scope: Scope, options: OpenOptions) =>
    identity.follow('/api/v1/organizations', options),
  regions: ({ region }: Unikorn, _scope: Scope, options: OpenOptions) => region.follow('/api/v2/regions', options),
  computeActivity: ({ compute }: Unikorn, scope: Scope, options: OpenOptions) =>
    recent(compute.follow('/api/v2/activity', { params: { query: activityQuery(scope) }, ...options }), limits.recent),
  regionActivity: ({ region }: Unikorn, scope: Scope, options: OpenOptions) =>
    recent(region.follow('/api/v2/activity', { params: { query: activityQuery(scope) }, ...options }), limits.recent),
  identityActivity: ({ identity }: Unikorn, scope: Scope, options: OpenOptions) =>
    recent(identity.follow('/api/v1/activity', { params: { query: activityQuery(scope) }, ...options }), limits.recent),
} as const;

export type Kind = keyof typeof kinds;

function queryOf({ organization, project, region }: Scope) {
  return {
    ...(organization === undefined ? {} : { organizationID: [organization] }),
    ...(project === undefined ? {} : { projectID: [project] }),
    ...(region === undefined ? {} : { regionID: [region] }),
  };
}

function activityQuery(scope: Scope) {
  return { ...queryOf(scope), limit: limits.activityPage };
}
