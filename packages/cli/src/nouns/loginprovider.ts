import type { OAuth2Provider } from '@unikorn/sdk';

import type { Noun } from './noun.ts';

export const loginprovider: Noun<OAuth2Provider> = {
  name: 'loginprovider',
  plural: 'loginproviders',
  aliases: ['oauth2provider', 'oauth2providers'],
  description: 'a system of an organization at which its users log in',
  service: 'identity',
  path: '/api/v1/organizations/{organizationID}/oauth2providers',
  idParameter: 'providerID',
  verbs: ['get', 'watch', 'create', 'update', 'delete'],
  scope: ['organization'],
  columns: [
    { header: 'TYPE', value: ({ spec }) => spec.type },
    { header: 'ISSUER', value: ({ spec }) => spec.issuer },
    { header: 'CLIENT-ID', value: ({ spec }) => spec.clientID },
  ],
  fields: [
    {
      flag: 'type',
      path: 'spec.type',
      type: 'text',
      choices: ['google', 'microsoft', 'github'],
      description: 'whose login it is; without it, any provider of OpenID Connect',
    },
    {
      flag: 'issuer',
      path: 'spec.issuer',
      type: 'text',
      required: true,
      description: 'its https address, which serves /.well-known/openid-configuration',
    },
    {
      flag: 'client-id',
      path: 'spec.clientID',
      type: 'text',
      required: true,
      description: 'client id that the provider has given to this control plane',
    },
    {
      flag: 'client-secret',
      path: 'spec.clientSecret',
      type: 'secret',
      description:
        'file with the client secret of the provider; - reads it from standard input, and asks for it in a terminal',
    },
  ],
  loss: 'the login of every user who logs in with it',
  examples: {
    name: 'corporate',
    create:
      'create corporate --issuer https://login.acme.example --client-id unikorn --client-secret client-secret.txt',
    update: 'update corporate --client-secret -',
  },
};
