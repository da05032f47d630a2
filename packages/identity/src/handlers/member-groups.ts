import type { Acl } from '@unikorn/core/access';
import type { ReadOptions, Store } from '@unikorn/core/store';

import { groupsByMember, type Member, type RoleCatalogue } from '../access/index.ts';
import { Group } from '../kinds/index.ts';
import { demandReach } from './group-reach.ts';
import { allWithin, groupsNamed } from './within.ts';

/** The groups of each member of the organization. */
export async function memberGroups(
  store: Store,
  organizationId: string,
  options: ReadOptions = {},
): Promise<(member: Member) => readonly string[]> {
  return groupsByMember(await allWithin(store, Group, organizationId, options));
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
  const held = (await memberGroups(store, organizationId, { cached: true }))(member);
  const groups = await groupsNamed(store, organizationId, wanted);
  demandReach({ acl, roles, organizationId, groups, wanted, held });
}
