import { mostHolders, type HolderNode } from '@unikorn/core/explain';
import type { Kind, Metadata } from '@unikorn/core/kinds';
import { described } from '@unikorn/core/references';
import { referenceOf } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';

import { ownedBy, usersOf, wordsOfUser } from '../graph/index.ts';

/**
 * Everything that blocks the removal of a resource: the objects that belong to it, and the objects that use it. Empty
 * while it is not being deleted.
 */
export async function holdersOf(store: Store, kind: Kind, metadata: Metadata): Promise<readonly HolderNode[]> {
  if (metadata.deletionTimestamp === undefined) return [];
  const users = (await usersOf(store, kind, metadata, mostHolders, { cached: true })).map((user) => ({
    reference: `${user.kind}/${user.id}`,
    name: wordsOfUser(user),
  }));
  const known = new Set(users.map(({ reference }) => reference));
  const owned = (await ownedBy(store, kind, metadata, { cached: true })).flatMap((child) => {
    const reference = referenceOf(child.kind, child.metadata.name);
    return known.has(reference) ? [] : [{ reference, name: described(child.kind, child.metadata) }];
  });
  return [...users, ...owned].slice(0, mostHolders);
}
