import { Type } from 'typebox';

import { WireReadMetadata, WireWriteMetadata } from '@unikorn/core/resource';

import { oneOf } from './common.ts';

export const OAuth2ClientPath = Type.Object({ oauth2ClientID: Type.String({ format: 'uuid' }) });

/** As long as an authorization request may name. */
const Uri = Type.String({ maxLength: 1024 });
/** An application has one for each of its environments, at most. */
const uris = 20;

export const OAuth2ClientSpec = Type.Object(
  {
    type: Type.Optional(oneOf(['confidential', 'public', 'native'], 'oauth2ClientType')),
    redirectUris: Type.Array(Uri, {
      minItems: 1,
      maxItems: uris,
      description: 'where people are sent back to after logging in; compared exactly',
    }),
    postLogoutRedirectUris: Type.Optional(
      Type.Array(Uri, { maxItems: uris, description: 'where people may be sent after logging out' }),
    ),
    loginUri: Type.Optional(
      Type.String({
        maxLength: 1024,
        description: "the application's own page on which people choose how to log in; ours unless it is given",
      }),
    ),
  },
  { $id: 'oauth2ClientSpec' },
);

const OAuth2ClientStatus = Type.Object(
  { secret: Type.Optional(Type.String({ description: 'shown once: when it is made' })) },
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
