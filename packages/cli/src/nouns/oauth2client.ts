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
        'confidential: with a secret; public: a web page without a server; native: a program on the machine of the user',
    },
    {
      flag: 'redirect-uri',
      path: 'spec.redirectUris',
      type: 'list',
      required: true,
      description: 'address that users return to after login; must match exactly',
    },
    {
      flag: 'post-logout-redirect-uri',
      path: 'spec.postLogoutRedirectUris',
      type: 'list',
      description: 'address that users may return to after logout',
    },
    {
      flag: 'login-uri',
      path: 'spec.loginUri',
      type: 'text',
      description: 'its own page on which users choose how to log in',
    },
  ],
  loss: 'the login of every user of the application',
  secretPath: 'status.secret',
  examples: {
    name: 'console',
    create: 'create console --redirect-uri https://console.example.com/oauth2/callback > secret',
    update: 'update console --redirect-uri https://new.example.com/oauth2/callback',
  },
};
