import type { Static } from 'typebox';

import type { DeepReadonly } from '@unikorn/core/kinds';
import { organizationScopedReadMetadata } from '@unikorn/core/resource';

import type { UserRead } from '../../api/index.ts';
import { OrganizationUser, type User } from '../../kinds/index.ts';

/** What a user of an organization is put together from. */
export interface UserView {
  readonly membership: OrganizationUser;
  readonly person: User | undefined;
  readonly groupIDs: readonly string[];
}

export function presentUser({ membership, person, groupIDs }: UserView): DeepReadonly<Static<typeof UserRead>> {
  const { tags, subject, state } = membership.spec;
  const lastActive = person?.status?.lastActive;
  return {
    metadata: organizationScopedReadMetadata(OrganizationUser, membership, tags),
    spec: { subject, state, groupIDs },
    status: lastActive === undefined ? {} : { lastActive },
  };
}
