import type { Organization } from '@unikorn/sdk';

import type { Noun } from './noun.ts';

export const organization: Noun<Organization> = {
  name: 'organization',
  plural: 'organizations',
  aliases: ['org'],
  description: 'a tenant: its people, projects and quotas',
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
      description: 'whether people are added one by one, or by the domain of their mail address',
    },
    { flag: 'domain', path: 'spec.domain', type: 'text', description: 'domain of the mail addresses of its people' },
    {
      flag: 'provider-scope',
      path: 'spec.providerScope',
      type: 'text',
      choices: ['global', 'organization'],
      description: 'whether its people log in with a provider of the platform or with its own',
    },
    { flag: 'provider-id', path: 'spec.providerID', type: 'text', description: 'provider that its people log in with' },
    {
      flag: 'google-customer-id',
      path: 'spec.googleCustomerID',
      type: 'text',
      description: 'its id as a customer of Google',
    },
  ],
  holdsProtected: true,
  loss: 'everything in it',
  examples: { create: 'create acme', update: 'update acme --type domain --domain acme.example' },
};
