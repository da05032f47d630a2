import { Type } from 'typebox';

import { fieldLimits } from '@unikorn/core/limits';
import { WireOrganizationScopedMetadata, WireWriteMetadata } from '@unikorn/core/resource';

import { oneOf } from './common.ts';

const id = Type.String({ format: 'uuid' });

export const OAuth2ProviderPath = Type.Object({ organizationID: id, providerID: id });

const OAuth2ProviderSpec = Type.Object(
  {
    type: Type.Optional(oneOf(['google', 'microsoft', 'github'], 'oauth2ProviderType')),
    issuer: Type.String({ maxLength: fieldLimits.url }),
    clientID: Type.String({ maxLength: fieldLimits.clientId }),
    clientSecret: Type.Optional(
      Type.String({
        maxLength: fieldLimits.clientSecret,
        description: 'never returned; an update without it keeps the current one',
      }),
    ),
  },
  { $id: 'oauth2ProviderSpec' },
);

export const OAuth2ProviderWrite = Type.Object(
  { metadata: WireWriteMetadata, spec: OAuth2ProviderSpec },
  { $id: 'oauth2ProviderWrite' },
);
export const OAuth2ProviderRead = Type.Object(
  { metadata: WireOrganizationScopedMetadata, spec: OAuth2ProviderSpec },
  { $id: 'oauth2ProviderRead' },
);
export const OAuth2Providers = Type.Array(OAuth2ProviderRead, { $id: 'oauth2Providers' });
