import type { Acl, Authenticator, Caller } from '@unikorn/core/access';
import { route, type Route } from '@unikorn/core/http';

import { withinOrganizations } from '../../access/index.ts';
import { AclRead, OrganizationPath } from '../../api/index.ts';

const common = { method: 'GET', tags: ['Access'], security: 'authenticated', responses: { 200: AclRead } } as const;

/**
 * A service account belongs to one organization, and always gets the permissions there, whichever organization it asks
 * for.
 */
function narrowed(acl: Acl, { accountType }: Caller, organizationId: string): Acl {
  return accountType === 'service' ? acl : withinOrganizations(acl, [organizationId]);
}

/** The same data in the form for older clients. */
function withLegacy(acl: Acl, organizationId: string) {
  const organization = acl.organizations?.find(({ id }) => id === organizationId);
  if (!organization) return acl;
  const { id, endpoints = [], projects } = organization;
  return { ...acl, organization: { id, endpoints }, ...(projects ? { projects } : {}) };
}

export function aclRoutes(authenticator: Authenticator): readonly Route[] {
  return [
    route({
      ...common,
      path: '/api/v1/acl',
      operationId: 'getAcl',
      summary: 'Read your permissions',
      handler: async ({ caller }) => ({ status: 200, body: await authenticator.access(caller, {}) }),
    }),
    route({
      ...common,
      path: '/api/v1/organizations/{organizationID}/acl',
      operationId: 'getOrganizationAcl',
      summary: 'Read your permissions in an organization',
      params: OrganizationPath,
      handler: async ({ caller, params: { organizationID } }) => {
        const acl = await authenticator.access(caller, { organizationId: organizationID });
        return { status: 200, body: withLegacy(narrowed(acl, caller, organizationID), organizationID) };
      },
    }),
  ];
}
