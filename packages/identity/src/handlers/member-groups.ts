import type { Acl } from '@unikorn/core/access';
import { demandVersion, tagOf, type Request } from '@unikorn/core/http';
import type { Resource } from '@unikorn/core/kinds';
import type { ReadOptions, Store } from '@unikorn/core/store';

import { groupsByMember, type Member, type RoleCatalogue } from '../access/index.ts';
import { digestOf } from '../digest.ts';
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

/** The version of a member with its groups, and with what else is shown of it. */
export function memberVersion({ metadata }: Resource, groupIDs: readonly string[], more = ''): string {
  return `${metadata.resourceVersion}-${digestOf(JSON.stringify([groupIDs, more])).slice(0, 16)}`;
}

/**
 * What a write must know of the groups that its caller saw: nothing, unless the request names a version. The groups may
 * have changed since that version was compared, so it is compared again with the groups that the write begins with.
 */
export function seenGroups(
  request: Pick<Request, 'headers'>,
  groupIDs: readonly string[],
  version: string,
): { readonly seenGroupIDs?: readonly string[] } {
  demandVersion(request, tagOf(version));
  return request.headers['if-match'] === undefined ? {} : { seenGroupIDs: groupIDs };
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
