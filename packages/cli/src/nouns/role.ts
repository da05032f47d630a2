import type { Role } from '@unikorn/sdk';

import type { Noun } from './noun.ts';

export const role: Noun<Role> = {
  name: 'role',
  plural: 'roles',
  description: 'what somebody may do',
  service: 'identity',
  path: '/api/v1/organizations/{organizationID}/roles',
  idParameter: 'roleID',
  verbs: [],
  scope: ['organization'],
  columns: [{ header: 'GRANTABLE', value: ({ grantable }) => grantable }],
  fields: [],
  examples: { name: 'reader' },
};
