import { Type } from 'typebox';

import { operations } from '@unikorn/core/access';
import { WireReadMetadata } from '@unikorn/core/resource';

import { oneOf } from './common.ts';

const AclOperations = Type.Array(oneOf(operations, 'aclOperation'), { $id: 'aclOperations' });
const AclEndpoints = Type.Array(
  Type.Object({ name: Type.String(), operations: AclOperations }, { $id: 'aclEndpoint' }),
  { $id: 'aclEndpoints' },
);
const AclProjects = Type.Array(Type.Object({ id: Type.String(), endpoints: AclEndpoints }, { $id: 'aclProject' }), {
  $id: 'aclProjectList',
});
const AclOrganization = Type.Object(
  { id: Type.String(), endpoints: Type.Optional(AclEndpoints), projects: Type.Optional(AclProjects) },
  { $id: 'aclOrganization' },
);

/**
 * `organization` and `projects` are for older clients: the part of `organizations` for the organization in the path.
 */
export const AclRead = Type.Object(
  {
    global: Type.Optional(AclEndpoints),
    organizations: Type.Optional(Type.Array(AclOrganization, { $id: 'aclOrganizationList' })),
    organization: Type.Optional(AclOrganization),
    projects: Type.Optional(AclProjects),
  },
  { $id: 'acl' },
);

const RoleScopes = Type.Object(
  {
    global: Type.Optional(AclEndpoints),
    organization: Type.Optional(AclEndpoints),
    project: Type.Optional(AclEndpoints),
  },
  {
    $id: 'roleScopes',
    description:
      'the permissions of the role: platform-wide, in the whole organization, and in the projects of the group',
  },
);

export const RoleRead = Type.Object(
  {
    metadata: WireReadMetadata,
    grantable: Type.Boolean({ description: 'whether you may assign it to a group' }),
    scopes: Type.Optional(RoleScopes),
  },
  { $id: 'roleRead' },
);
export const Roles = Type.Array(RoleRead, { $id: 'roles' });
