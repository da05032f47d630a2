import type { Acl, Role } from '@unikorn/sdk';

import type { Noun } from './noun.ts';

export const role: Noun<Role> = {
  name: 'role',
  plural: 'roles',
  description: 'a set of permissions',
  service: 'identity',
  path: '/api/v1/organizations/{organizationID}/roles',
  idParameter: 'roleID',
  verbs: [],
  isShort: true,
  scope: ['organization'],
  columns: [
    { header: 'GRANTABLE', value: ({ grantable }) => grantable },
    { header: 'EVERYWHERE', value: ({ scopes }) => rightsText(scopes?.global), described: true },
    { header: 'IN-THE-ORGANIZATION', value: ({ scopes }) => rightsText(scopes?.organization), described: true },
    { header: 'IN-PROJECTS', value: ({ scopes }) => rightsText(scopes?.project), described: true },
  ],
  fields: [],
  examples: { name: 'reader' },
};

/** A line for each endpoint, such as `compute:instances: create, read`. */
function rightsText(endpoints: Acl['global'] = []): readonly string[] {
  return endpoints.map(({ name, operations }) => `${name}: ${operations.join(', ')}`);
}
