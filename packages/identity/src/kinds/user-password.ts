import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';

import { groupVersion } from './group-version.ts';

/**
 * A password, hashed with argon2id. It has the name of the person, or of the one membership that it counts for, and is
 * a kind of its own, so that reading people never reads it.
 */
export const UserPassword = defineKind({
  ...groupVersion,
  kind: 'UserPassword',
  plural: 'userpasswords',
  realisation: 'static',
  spec: Type.Object({
    memory_kib: Type.Integer({ minimum: 8 }),
    passes: Type.Integer({ minimum: 1 }),
    parallelism: Type.Integer({ minimum: 1 }),
    /** In base64url, as is the hash. */
    salt: Type.String(),
    hash: Type.String(),
  }),
  status: {},
});

export type UserPassword = Resource<typeof UserPassword>;
