import { defined } from '@unikorn/core/defined';
import { route, type Route } from '@unikorn/core/http';

import { mayGrant, type Role, type RoleCatalogue, type RoleScopes } from '../../access/index.ts';
import { OrganizationPath, Roles } from '../../api/index.ts';
import { demandInOrganization } from '../scope.ts';

const endpoint = 'identity:roles';

/** Roles are part of the software and have no creation time, so a fixed one is shown. */
const creationTime = '2024-01-01T00:00:00Z';

/** Only the scopes in which the role has permissions. */
function grantedScopes({ scopes: { global, organization, project } }: Role): Partial<RoleScopes> {
  return {
    ...(global.length > 0 ? { global } : {}),
    ...(organization.length > 0 ? { organization } : {}),
    ...(project.length > 0 ? { project } : {}),
  };
}

export function roleRoutes(roles: RoleCatalogue): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/v1/organizations/{organizationID}/roles',
      operationId: 'listRoles',
      summary: 'List the roles that a group can have',
      tags: ['Roles'],
      security: 'bearer',
      params: OrganizationPath,
      responses: { 200: Roles },
      handler: (request) => {
        demandInOrganization(request, endpoint, 'read');
        const shown = roles.list().filter((role) => !role.protected);
        const body = shown.map((role) => ({
          metadata: {
            id: role.id,
            name: role.name,
            ...defined({ description: role.description }),
            creationTime,
            provisioningStatus: 'provisioned' as const,
            healthStatus: 'healthy' as const,
          },
          grantable: mayGrant(request.acl, role, request.params.organizationID),
          scopes: grantedScopes(role),
        }));
        return { status: 200, body };
      },
    }),
  ];
}
