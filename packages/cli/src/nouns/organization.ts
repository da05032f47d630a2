import type { Organization } from '@unikorn/sdk';

import type { Noun } from './noun.ts';

export const organization: Noun<Organization> = {
  name: 'organization',
  plural: 'organizations',
  aliases: ['org'],
  description: 'a tenant with its users, projects and quotas',
  service: 'identity',
  path: '/api/v1/organizations',
  idParameter: 'organizationID',
  verbs: ['get', 'watch', 'create', 'update', 'delete'],
  scope: [],
  hiddenQuery: { include: 'platform' },
  columns: [
    { header: 'TYPE', value: ({ spec }) => spec.organizationType },
    { header: 'DOMAIN', value: ({ spec }) => spec.domain },
  ],
  fields: [
    {
      flag: 'type',
      path: 'spec.organizationType',
      type: 'text',
      choices: ['adhoc', 'domain'],
      fallback: 'adhoc',
      description: 'whether users are added one by one (adhoc), or by the domain of their mail address',
    },
    { flag: 'domain', path: 'spec.domain', type: 'text', description: 'domain of the mail addresses of its users' },
    {
      flag: 'provider-scope',
      path: 'spec.providerScope',
      type: 'text',
      choices: ['global', 'organization'],
      description: 'whether its users log in with a provider of the platform or with its own provider',
    },
    { flag: 'provider-id', path: 'spec.providerID', type: 'text', description: 'provider that its users log in with' },
    {
      flag: 'google-customer-id',
      path: 'spec.googleCustomerID',
      type: 'text',
      description: 'its Google customer id',
    },
  ],
  holdsProtected: true,
  loss: 'everything in it',
  contents: ['project', 'group', 'user', 'serviceaccount', 'loginprovider'],
  examples: { create: 'create acme', update: 'update acme --type domain --domain acme.example' },
};
