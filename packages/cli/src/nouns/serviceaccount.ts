import type { ServiceAccount } from '@unikorn/sdk';

import type { Noun } from './noun.ts';

export const serviceaccount: Noun<ServiceAccount> = {
  name: 'serviceaccount',
  plural: 'serviceaccounts',
  aliases: ['sa'],
  description: 'an account for a program in an organization, with a token',
  service: 'identity',
  path: '/api/v1/organizations/{organizationID}/serviceaccounts',
  idParameter: 'serviceAccountID',
  verbs: ['create', 'update', 'delete'],
  scope: ['organization'],
  columns: [
    { header: 'GROUPS', value: ({ spec }) => spec.groupIDs, noun: 'group' },
    { header: 'EXPIRES', value: ({ status }) => status.expiry },
  ],
  fields: [
    { flag: 'group', path: 'spec.groupIDs', type: 'list', noun: 'group', fallback: [], description: 'group it is in' },
  ],
  secretPath: 'status.accessToken',
  examples: { create: 'create deploy --group developers > token', update: 'update deploy --group readers' },
  loss: 'the access of the programs that use it',
};
