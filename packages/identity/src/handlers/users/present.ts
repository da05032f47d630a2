import type { Static } from 'typebox';

import { defined } from '@unikorn/core/defined';
import type { DeepReadonly } from '@unikorn/core/kinds';
import { organizationScopedReadMetadata } from '@unikorn/core/resource';

import type { UserRead } from '../../api/index.ts';
import { acceptanceOf, OrganizationUser } from '../../kinds/index.ts';

/** The objects from which a user of an organization is presented. */
export interface UserView {
  readonly membership: OrganizationUser;
  /** The last activity in this organization; absent if it could reveal activity in others. */
  readonly lastActive: string | undefined;
  readonly groupIDs: readonly string[];
}

export function presentUser(
  { membership, lastActive, groupIDs }: UserView,
  issuer: string,
): DeepReadonly<Static<typeof UserRead>> {
  const { tags, subject, state } = membership.spec;
  return {
    metadata: organizationScopedReadMetadata(OrganizationUser, membership, tags),
    spec: { subject, state, groupIDs },
    status: { issuer, acceptance: acceptanceOf(membership), ...defined({ lastActive }) },
  };
}
