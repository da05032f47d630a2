import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';

import { groupVersion } from './group-version.ts';

/** The signing keys of tokens, the newest first. There is one object, so that processes agree by compare-and-swap. */
export const SigningKey = defineKind({
  ...groupVersion,
  kind: 'SigningKey',
  plural: 'signingkeys',
  realisation: 'static',
  spec: Type.Object({
    keys: Type.Array(
      Type.Object({
        kid: Type.String(),
        created: Type.String({ format: 'date-time' }),
        sealedPrivateKey: Type.String(),
      }),
      { minItems: 1, maxItems: 2 },
    ),
  }),
  status: {},
});

export type SigningKey = Resource<typeof SigningKey>;

export const signingKeyName = 'unikorn-identity-jose';
