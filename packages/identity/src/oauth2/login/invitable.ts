import { Problem } from '@unikorn/core/errors';

import { acceptanceOf, type OrganizationUser } from '../../kinds/index.ts';

/** Refuses to invite a user who cannot log in with the password that they would set. */
export function demandInvitable(membership: OrganizationUser): void {
  const { state } = membership.spec;
  if (state !== 'active') throw new Problem('conflict', `the user is ${state}: set the state to active first`);
  if (acceptanceOf(membership) === 'declined') throw new Problem('conflict', 'the user has declined to join');
}
