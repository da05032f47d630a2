import { Type, type Static } from 'typebox';

import { isProblem, Problem } from '@unikorn/core/errors';
import { labels } from '@unikorn/core/resource';
import { matching, modify, type Store } from '@unikorn/core/store';

import { holdsMember, withMember, withoutMember, type Member } from '../access/index.ts';
import { Group } from '../kinds/index.ts';

/** The groups that a member must join and leave. */
export const GroupMoves = Type.Object({ join: Type.Array(Type.String()), leave: Type.Array(Type.String()) });
type GroupMoves = { readonly [Key in keyof Static<typeof GroupMoves>]: readonly string[] };

/**
 * The changes that put the member into exactly these groups. A writer that saw the member in certain groups changes
 * only what differs from them, so that a change of another writer since then is kept.
 */
export async function planMoves(
  store: Store,
  organizationId: string,
  member: Member,
  groupIDs: readonly string[],
  seen?: readonly string[],
): Promise<GroupMoves> {
  const { items } = await store.list(Group, { selector: matching({ [labels.organization]: organizationId }) });
  const wanted = new Set(groupIDs);
  const wrong = items
    .filter((group) => holdsMember(group, member) !== wanted.has(group.metadata.name))
    .map(({ metadata }) => metadata.name)
    .filter((id) => seen === undefined || seen.includes(id) !== wanted.has(id));
  return { join: wrong.filter((id) => wanted.has(id)), leave: wrong.filter((id) => !wanted.has(id)) };
}

export async function makeMoves(store: Store, member: Member, { join, leave }: GroupMoves): Promise<void> {
  for (const id of join) {
    if (!(await change(store, id, (group) => withMember(group, member))))
      throw new Problem('conflict', 'spec.groupIDs: a group was deleted at the same time; read the groups again');
  }
  for (const id of leave) await change(store, id, (group) => withoutMember(group, member));
}

export async function takeMovesBack(store: Store, member: Member, { join, leave }: GroupMoves): Promise<void> {
  for (const id of join) await change(store, id, (group) => withoutMember(group, member));
  for (const id of leave) await change(store, id, (group) => withMember(group, member));
}

/** False for a deleted group, which has no members. */
async function change(store: Store, id: string, decide: (group: Group) => Group['spec']): Promise<boolean> {
  try {
    await modify(store, Group, id, (group) => ({ ...group, spec: decide(group) }));
    return true;
  } catch (error) {
    if (!isProblem(error, 'not_found')) throw error;
    return false;
  }
}
