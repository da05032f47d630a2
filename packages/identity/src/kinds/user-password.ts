import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';

import { groupVersion } from './group-version.ts';

/**
 * A password hash (argon2id). It has the name of the user, or of the membership that it is valid for. It is a separate
 * kind, so that reading users never reads it.
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
    /** In base64url, like the hash. */
    salt: Type.String(),
    hash: Type.String(),
  }),
  status: {},
});

export type UserPassword = Resource<typeof UserPassword>;
