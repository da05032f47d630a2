import type { OAuth2Client } from '@unikorn/sdk';

import type { Noun } from './noun.ts';

export const oauth2client: Noun<OAuth2Client> = {
  name: 'oauth2client',
  plural: 'oauth2clients',
  description: 'an application that people log in to',
  service: 'identity',
  path: '/api/v1/oauth2clients',
  idParameter: 'oauth2ClientID',
  verbs: ['get', 'watch', 'create', 'update', 'delete'],
  scope: [],
  columns: [
    { header: 'CLIENT ID', value: ({ metadata }) => metadata.id },
    { header: 'TYPE', value: ({ spec }) => spec.type },
    { header: 'REDIRECTS', value: ({ spec }) => spec.redirectUris },
    { header: 'LOGIN PAGE', value: ({ spec }) => spec.loginUri, wide: true },
  ],
  fields: [
    {
      flag: 'type',
      path: 'spec.type',
      type: 'text',
      choices: ['confidential', 'public', 'native'],
      on: 'create',
      fallback: 'confidential',
      description:
        'confidential has a secret, public is a page without a server, native is a program on the own machine of people',
    },
    {
      flag: 'redirect-uri',
      path: 'spec.redirectUris',
      type: 'list',
      required: true,
      description: 'where people are sent back to after logging in; compared exactly',
    },
    {
      flag: 'post-logout-redirect-uri',
      path: 'spec.postLogoutRedirectUris',
      type: 'list',
      description: 'where people may be sent after logging out',
    },
    {
      flag: 'login-uri',
      path: 'spec.loginUri',
      type: 'text',
      description: 'its own page on which people choose how to log in',
    },
  ],
  loss: 'the logins of everybody who uses it',
  secretPath: 'status.secret',
  examples: {
    name: 'console',
    create: 'create console --redirect-uri https://console.example.com/oauth2/callback > secret',
    update: 'update console --redirect-uri https://new.example.com/oauth2/callback',
  },
};
