import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';

import { groupVersion } from './group-version.ts';

/**
 * A link with which a user sets a password for one membership. It has the name of the membership, so there is one at a
 * time. Only a digest of its secret is stored.
 */
export const UserInvitation = defineKind({
  ...groupVersion,
  kind: 'UserInvitation',
  plural: 'userinvitations',
  realisation: 'static',
  spec: Type.Object({
    /** SHA-256 of the secret in hex. */
    secretDigest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    expiry: Type.String({ format: 'date-time' }),
  }),
  status: {},
});

export type UserInvitation = Resource<typeof UserInvitation>;
