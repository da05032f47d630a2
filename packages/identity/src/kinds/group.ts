import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

import { groupVersion, Tags } from './group-version.ts';

/** A subject as a token identifies it. */
export const Subject = Type.Object({ id: Type.String(), issuer: Type.String(), email: Type.Optional(Type.String()) });

/** Connects members with roles. Roles can only be assigned through groups. */
export const Group = defineKind({
  ...groupVersion,
  kind: 'Group',
  plural: 'groups',
  realisation: 'static',
  spec: Type.Object({
    tags: Type.Optional(Tags),
    subjects: Type.Array(Subject),
    serviceAccountIDs: Type.Array(Type.String()),
    roleIDs: Type.Array(Type.String()),
  }),
  status: {},
  indexedLabels: [labels.organization],
});

export type Group = Resource<typeof Group>;

/** The issuer of tokens that this platform issues. */
export const localIssuer = 'uni';
