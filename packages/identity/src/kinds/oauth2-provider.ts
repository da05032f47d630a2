import { Type, type Static } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

import { groupVersion, Tags } from './group-version.ts';

export const OAuth2ProviderType = Type.Union([
  Type.Literal('google'),
  Type.Literal('microsoft'),
  Type.Literal('github'),
]);
export type OAuth2ProviderType = Static<typeof OAuth2ProviderType>;

/**
 * Somebody else's OpenID provider that people may log in through. Without an organization's label it is for everybody.
 */
export const OAuth2Provider = defineKind({
  ...groupVersion,
  kind: 'OAuth2Provider',
  plural: 'oauth2providers',
  realisation: 'static',
  spec: Type.Object({
    tags: Type.Optional(Tags),
    type: Type.Optional(OAuth2ProviderType),
    issuer: Type.String(),
    clientID: Type.String(),
    /** It must be sent to the provider, so a digest would not do. */
    sealedClientSecret: Type.Optional(Type.String()),
  }),
  status: {},
  indexedLabels: [labels.organization],
});

export type OAuth2Provider = Resource<typeof OAuth2Provider>;
