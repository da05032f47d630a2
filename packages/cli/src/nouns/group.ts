import type { Group } from '@unikorn/sdk';

import { valueAt } from '../documents.ts';
import type { Named, Noun } from './noun.ts';

/** Servers accept this issuer for their own users. Older servers do not return their issuer. */
const platformIssuer = 'uni';

export const group: Noun<Group> = {
  name: 'group',
  plural: 'groups',
  description: 'people and service accounts that have the same roles',
  service: 'identity',
  path: '/api/v1/organizations/{organizationID}/groups',
  idParameter: 'groupid',
  verbs: ['get', 'watch', 'create', 'update', 'delete'],
  scope: ['organization'],
  columns: [
    { header: 'ROLES', value: ({ spec }) => spec.roleIDs, noun: 'role' },
    { header: 'USERS', value: ({ spec }) => spec.subjects?.map(({ id }) => id) },
    { header: 'SERVICEACCOUNTS', value: ({ spec }) => spec.serviceAccountIDs, noun: 'serviceaccount' },
  ],
  fields: [
    {
      flag: 'role',
      path: 'spec.roleIDs',
      type: 'list',
      noun: 'role',
      fallback: [],
      description: 'role of its members',
    },
    {
      flag: 'user',
      path: 'spec.subjects',
      type: 'list',
      noun: 'user',
      refer: subjectOf,
      fallback: [],
      description: 'user in it',
    },
    {
      flag: 'serviceaccount',
      path: 'spec.serviceAccountIDs',
      type: 'list',
      noun: 'serviceaccount',
      fallback: [],
      description: 'service account in it',
    },
  ],
  examples: {
    create: 'create operators --role user --user alice@example.com',
    update: 'update operators --role reader',
  },
  loss: 'the roles that its members have through it',
};

/** A group refers to a user by subject and issuer. */
function subjectOf(user: Named): { readonly id: unknown; readonly issuer: unknown } {
  return { id: valueAt(user, 'spec.subject'), issuer: valueAt(user, 'status.issuer') ?? platformIssuer };
}
