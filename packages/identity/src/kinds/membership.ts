import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { deterministicId, labels } from '@unikorn/core/resource';

import { groupVersion, Tags } from './group-version.ts';
import { UserState } from './user.ts';

/** A person's membership of an organization; the `userID` of the API. There is one for each pair of them. */
export const OrganizationUser = defineKind({
  ...groupVersion,
  kind: 'OrganizationUser',
  plural: 'organizationusers',
  realisation: 'static',
  spec: Type.Object({ tags: Type.Optional(Tags), subject: Type.String(), state: UserState }),
  status: {},
  indexedLabels: [labels.user, labels.organization],
  immutable: ['/spec/subject'],
});

export type OrganizationUser = Resource<typeof OrganizationUser>;

export function membershipIdOf(organizationId: string, userId: string): string {
  return deterministicId(organizationId, userId);
}
