import { Type } from 'typebox';

import { WireReadMetadata, WireWriteMetadata } from '@unikorn/core/resource';

import { oneOf } from './common.ts';

export const OAuth2ClientPath = Type.Object({ oauth2ClientID: Type.String({ format: 'uuid' }) });

/** As long as an authorization request allows. */
const Uri = Type.String({ maxLength: 1024 });
/** At most one for each environment of an application. */
const uris = 20;

export const OAuth2ClientSpec = Type.Object(
  {
    type: Type.Optional(oneOf(['confidential', 'public', 'native'], 'oauth2ClientType')),
    redirectUris: Type.Array(Uri, {
      minItems: 1,
      maxItems: uris,
      description: 'where users return to after login; must match exactly',
    }),
    postLogoutRedirectUris: Type.Optional(
      Type.Array(Uri, { maxItems: uris, description: 'where users may return to after logout' }),
    ),
    loginUri: Type.Optional(
      Type.String({
        maxLength: 1024,
        description:
          'page of the application on which users choose how to log in; the page of this platform by default',
      }),
    ),
  },
  { $id: 'oauth2ClientSpec' },
);

const OAuth2ClientStatus = Type.Object(
  { secret: Type.Optional(Type.String({ description: 'shown only once, when it is created' })) },
  { $id: 'oauth2ClientStatus' },
);

export const OAuth2ClientWrite = Type.Object(
  { metadata: WireWriteMetadata, spec: OAuth2ClientSpec },
  { $id: 'oauth2ClientWrite' },
);
export const OAuth2ClientRead = Type.Object(
  { metadata: WireReadMetadata, spec: OAuth2ClientSpec, status: OAuth2ClientStatus },
  { $id: 'oauth2ClientRead' },
);
export const OAuth2Clients = Type.Array(OAuth2ClientRead, { $id: 'oauth2Clients' });
