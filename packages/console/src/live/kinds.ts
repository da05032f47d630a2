import type { Unikorn } from '@unikorn/sdk';

import type { OpenOptions } from './hub.ts';

/** Which objects a list contains. */
export interface Scope {
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
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
} as const;

export type Kind = keyof typeof kinds;

function queryOf({ organization, project }: Scope) {
  return {
    ...(organization === undefined ? {} : { organizationID: [organization] }),
    ...(project === undefined ? {} : { projectID: [project] }),
  };
}
