import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';

import { groupVersion, Tags } from './group-version.ts';

/** An application that users log in to. Its name is the client id. */
export const OAuth2Client = defineKind({
  ...groupVersion,
  kind: 'OAuth2Client',
  plural: 'oauth2clients',
  realisation: 'static',
  spec: Type.Object({
    tags: Type.Optional(Tags),
    /** Compared exactly, character by character. */
    redirectUris: Type.Array(Type.String(), { minItems: 1 }),
    postLogoutRedirectUris: Type.Optional(Type.Array(Type.String())),
    /** The application's own page on which users choose how to log in. */
    loginUri: Type.Optional(Type.String()),
    /** A program on the user's machine: ports of loopback addresses are not compared. */
    native: Type.Optional(Type.Boolean()),
    /** SHA-256 of the secret in hex. A client without a secret is public and must use PKCE. */
    secretDigest: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  }),
  status: {},
});

export type OAuth2Client = Resource<typeof OAuth2Client>;
