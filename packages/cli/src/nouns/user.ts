import type { User } from '@unikorn/sdk';

import type { Noun } from './noun.ts';

export const user: Noun<User> = {
  name: 'user',
  plural: 'users',
  description: 'a user of an organization, identified by mail address',
  service: 'identity',
  path: '/api/v1/organizations/{organizationID}/users',
  idParameter: 'userID',
  verbs: ['create', 'update', 'delete'],
  scope: ['organization'],
  namePath: 'spec.subject',
  columns: [
    { header: 'GROUPS', value: ({ spec }) => spec.groupIDs, noun: 'group' },
    { header: 'ACCEPTANCE', value: ({ status }) => status.acceptance },
    { header: 'LAST-ACTIVE', value: ({ status }) => status.lastActive },
  ],
  status: ({ spec }) => spec.state,
  fields: [
    {
      flag: 'state',
      path: 'spec.state',
      type: 'text',
      choices: ['active', 'pending', 'suspended'],
      fallback: 'active',
      description: 'state of the account; active by default',
    },
    {
      flag: 'group',
      path: 'spec.groupIDs',
      type: 'list',
      noun: 'group',
      fallback: [],
      description: 'group of the user',
    },
  ],
  editable: ({ spec: { subject, state, groupIDs } }) => ({ spec: { subject, state, groupIDs } }),
  examples: {
    create: 'create dave@example.com --group developers',
    update: 'update dave@example.com --state suspended',
  },
  loss: 'their roles in the organization',
};
