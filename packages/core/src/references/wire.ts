import { Type } from 'typebox';

import { userNameLength } from './kind.ts';

/** The id of a saga run. */
const Claim = Type.String({
  maxLength: 63,
  pattern: '^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$',
  description: 'the operation that holds the reference; a release does not affect references of other operations',
});

/** Optional details about the user of a reference. */
export const HoldQuery = Type.Object({
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: userNameLength,
      description: 'readable name of the resource that uses it, such as instance web-1',
    }),
  ),
  protects: Type.Optional(
    Type.Boolean({ description: 'whether the resource that uses it is protected against deletion' }),
  ),
  claim: Type.Optional(Claim),
});

export const ReleaseQuery = Type.Object({ claim: Type.Optional(Claim) });

/** The query of a deletion that allows protected objects to be deleted too. */
export const DeleteQuery = Type.Object({
  ignoreProtection: Type.Optional(
    Type.Boolean({ description: 'delete it even if instances in it are protected against deletion' }),
  ),
});
