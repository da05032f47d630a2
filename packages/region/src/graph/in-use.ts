import { yieldFor, type Yield } from '@unikorn/core/controller';
import { Problem } from '@unikorn/core/errors';
import { kindWords, type Kind, type Metadata } from '@unikorn/core/kinds';
import { described, listed, shownUsers } from '@unikorn/core/references';
import { remaining, type Store } from '@unikorn/core/store';

import { regionKinds } from '../kinds/index.ts';
import { usersOf, type User } from './users.ts';

type Used = Pick<Metadata, 'name' | 'labels'>;

/**
 * Refuses to delete an object that others still use, and names them.
 *
 * @example await refuseWhileUsed(store, Network, network.metadata); // network 4f… is in use by server a1…: delete it first
 */
export async function refuseWhileUsed(store: Store, kind: Kind, used: Used): Promise<void> {
  const users = await usersOf(store, kind, used, shownUsers + 1);
  if (users.length === 0) return;
  const remedy = users.length === 1 ? 'delete it first' : 'delete them first';
  throw new Problem('in_use', `${described(kind, used)} is in use by ${listed(users.map(wordsOfUser))}: ${remedy}`);
}

/** Delays the removal of an object that others still use. It is woken when a user is removed. */
export async function waitWhileUsed(store: Store, kind: Kind, used: Used): Promise<Yield<never> | undefined> {
  const users = await remaining(store, (options) => usersOf(store, kind, used, shownUsers + 1, options));
  return users.length === 0 ? undefined : yieldFor({ message: `still used by ${listed(users.map(wordsOfUser))}` });
}

/** A user in words. Users of other services have the name that they registered. */
export function wordsOfUser({ kind, id, alias }: User): string {
  if (alias !== undefined) return alias;
  const known = regionKinds.find((candidate) => candidate.id === kind);
  return known ? `${kindWords(known)} ${id}` : `${kind}/${id}`;
}
