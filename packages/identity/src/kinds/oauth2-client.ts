import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';

import { groupVersion } from './group-version.ts';

/** An application that people log in to. Its name is the client id. */
export const OAuth2Client = defineKind({
  ...groupVersion,
  kind: 'OAuth2Client',
  plural: 'oauth2clients',
  realisation: 'static',
  spec: Type.Object({
    /** Compared as they are, character by character. */
    redirectUris: Type.Array(Type.String(), { minItems: 1 }),
    postLogoutRedirectUris: Type.Optional(Type.Array(Type.String())),
    /** SHA-256 of the secret in hex; a client without one is public and must use PKCE. */
    secretDigest: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  }),
  status: {},
});

export type OAuth2Client = Resource<typeof OAuth2Client>;
