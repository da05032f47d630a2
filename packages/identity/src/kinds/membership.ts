import { Type, type Static } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { deterministicId, labels } from '@unikorn/core/resource';

import { groupVersion, Tags } from './group-version.ts';
import { UserState } from './user.ts';

/**
 * The decision of the user about a membership. An organization can add anyone, so only `accepted` has an effect outside
 * the organization. `vouched`: the organization itself let the user in, through its own login provider or an
 * invitation. This is valid only in that organization.
 */
export const Acceptance = Type.Union([
  Type.Literal('open'),
  Type.Literal('vouched'),
  Type.Literal('accepted'),
  Type.Literal('declined'),
]);
export type Acceptance = Static<typeof Acceptance>;

/** The membership of a user in an organization; the `userID` of the API. There is one object per pair. */
export const OrganizationUser = defineKind({
  ...groupVersion,
  kind: 'OrganizationUser',
  plural: 'organizationusers',
  realisation: 'static',
  spec: Type.Object({
    tags: Type.Optional(Tags),
    subject: Type.String(),
    state: UserState,
    acceptance: Type.Optional(Acceptance),
  }),
  status: {},
  indexedLabels: [labels.user, labels.organization],
  immutable: ['/spec/subject'],
});

export type OrganizationUser = Resource<typeof OrganizationUser>;

export function membershipIdOf(organizationId: string, userId: string): string {
  return deterministicId(organizationId, userId);
}

/** Memberships of older versions do not have it. They count as accepted, except those in the state pending. */
export function acceptanceOf({ spec: { acceptance, state } }: OrganizationUser): Acceptance {
  return acceptance ?? (state === 'pending' ? 'open' : 'accepted');
}
