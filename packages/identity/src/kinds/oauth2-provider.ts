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
 * An external OpenID provider that users may log in through. Without the label of an organization it is for all users.
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
    /** It must be sent to the provider, so a digest is not enough. */
    sealedClientSecret: Type.Optional(Type.String()),
  }),
  status: {},
  indexedLabels: [labels.organization],
});

export type OAuth2Provider = Resource<typeof OAuth2Provider>;
