import type { Organization } from '@unikorn/sdk';

import { Failure } from '../failure.ts';
import { meant } from '../finding.ts';
import { isId } from '../resources.ts';
import { loginprovider } from './loginprovider.ts';
import type { Named, Noun } from './noun.ts';

/** The login providers of the platform. They come from its configuration, so no command manages them. */
const platformProvider: Noun = {
  ...loginprovider,
  description: 'a system of the platform at which users log in',
  path: '/api/v1/oauth2providers',
  verbs: [],
  scope: [],
  fields: [],
};

/** An id is sent as it is, because a caller who may use a provider may not always list it. */
async function providerId(value: unknown, lists: readonly (() => Promise<readonly Named[]>)[]): Promise<unknown> {
  if (typeof value !== 'string' || isId(value)) return value;
  const known = (await Promise.all(lists.map((list) => list()))).flat();
  const ids = meant(loginprovider, known, value).map(({ metadata }) => metadata.id);
  if (ids.length === 1) return ids[0];
  if (ids.length > 1)
    throw new Failure('refused', `several login providers are called ${value}; use the id instead`, ...ids);
  const names = known.map(({ metadata }) => metadata.name);
  throw new Failure(
    'notFound',
    `there is no login provider ${value}`,
    names.length === 0 ? 'there are no login providers yet' : `the login providers are ${names.join(', ')}`,
  );
}

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
    {
      flag: 'provider-id',
      path: 'spec.providerID',
      type: 'text',
      on: 'create',
      complete: (value, { list }) => providerId(value, [() => list(platformProvider)]),
      description: 'name or id of the provider of the platform that its users log in with',
    },
    {
      flag: 'provider-id',
      path: 'spec.providerID',
      type: 'text',
      on: 'update',
      complete: (value, { list }) => providerId(value, [() => list(loginprovider), () => list(platformProvider)]),
      description: 'name or id of the provider that its users log in with, its own or one of the platform',
    },
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
