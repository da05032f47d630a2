import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';

import { groupVersion } from './group-version.ts';
import { userIdOf } from './user.ts';

/** Platform-wide roles of a subject, granted through the API. There is one object per user or service account. */
export const GlobalRoleBinding = defineKind({
  ...groupVersion,
  kind: 'GlobalRoleBinding',
  plural: 'globalrolebindings',
  realisation: 'static',
  spec: Type.Object({
    /** A mail address, or the id of a service account. */
    subject: Type.String(),
    /** Names of roles, as in the configuration. */
    roles: Type.Array(Type.String(), { minItems: 1 }),
  }),
  status: {},
  immutable: ['/spec/subject'],
});

export type GlobalRoleBinding = Resource<typeof GlobalRoleBinding>;

/** The name of the binding of a subject: the id of the user or service account. */
export function globalBindingIdOf(subject: string): string {
  return subject.includes('@') ? userIdOf(subject) : subject;
}
