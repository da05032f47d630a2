import { Type, type Static } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { deterministicId } from '@unikorn/core/resource';

import { groupVersion } from './group-version.ts';

export const UserState = Type.Union([Type.Literal('active'), Type.Literal('pending'), Type.Literal('suspended')]);
export type UserState = Static<typeof UserState>;

/** A user, independent of organizations. The name is derived from the subject, so there is one object per subject. */
export const User = defineKind({
  ...groupVersion,
  kind: 'User',
  plural: 'users',
  realisation: 'static',
  spec: Type.Object({ subject: Type.String(), state: UserState }),
  /** `lastActive`: the time of the last login. */
  status: { lastActive: Type.Optional(Type.String({ format: 'date-time' })) },
  immutable: ['/spec/subject'],
});

export type User = Resource<typeof User>;

const userNamespace = '6a1d0f5e-7f0e-4b7d-9f0c-0d7c2a3f1b52';

/** The canonical spelling of a subject: mail addresses that differ only in case are the same user. */
export function normaliseSubject(subject: string): string {
  return subject.trim().toLowerCase();
}

export function userIdOf(subject: string): string {
  return deterministicId(userNamespace, normaliseSubject(subject));
}
