import type { Acl } from '@unikorn/core/access';
import type { Store } from '@unikorn/core/store';

import { groupsByMember, type Member, type RoleCatalogue } from '../access/index.ts';
import { Group } from '../kinds/index.ts';
import { demandReach } from './group-reach.ts';
import { allWithin } from './within.ts';

/** The groups of each member of the organization, read from the store. */
export async function memberGroups(
  store: Store,
  organizationId: string,
): Promise<(member: Member) => readonly string[]> {
  return groupsByMember(await allWithin(store, Group, organizationId));
}

export interface Joining {
  readonly acl: Acl;
  readonly roles: RoleCatalogue;
  readonly store: Store;
  readonly organizationId: string;
  readonly member: Member;
  readonly wanted: readonly string[];
}

/** Refuses groups that do not exist, or that grant more than the caller has. */
export async function demandJoinable({ acl, roles, store, organizationId, member, wanted }: Joining): Promise<void> {
  const groups = await allWithin(store, Group, organizationId);
  demandReach({ acl, roles, organizationId, groups, wanted, held: groupsByMember(groups)(member) });
}
