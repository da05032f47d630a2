import { yieldFor, type Yield } from '@unikorn/core/controller';
import type { Kind, Metadata } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import { matching, remaining, type ReadOptions, type Store } from '@unikorn/core/store';

import { Identity, projectKinds } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { labelOf } from '../placement.ts';
import { childrenOf } from './walk.ts';

type Owner = Pick<Metadata, 'name' | 'uid'>;

/**
 * Delays the removal of an object until all objects that belong to it are deleted. It deletes the object again in the
 * foreground: otherwise a background deletion could leave dependents that no one can reach.
 */
export async function waitForOwned(store: Store, kind: Kind, owner: Owner): Promise<Yield<never> | undefined> {
  const children = await remaining(store, (options) => ownedBy(store, kind, owner, options));
  if (children.length === 0) return undefined;
  await store.delete(kind, owner.name, { propagation: 'foreground', preconditions: { uid: owner.uid } });
  return yieldFor({ message: 'waiting until the resources that belong to it are deleted' });
}

interface Child {
  readonly kind: Kind;
  readonly metadata: Metadata;
}

/** The first objects of each kind that belong to this one. */
export async function ownedBy(
  store: Store,
  ownerKind: Kind,
  { name, uid }: Owner,
  options: ReadOptions = {},
): Promise<readonly Child[]> {
  const all: Child[] = [];
  for (const { owned, label } of childrenOf(ownerKind.id)) {
    for (const kind of projectKinds.filter(({ id }) => id === owned)) {
      const selector = matching({ [label]: name });
      const { items } = await store.list(kind, { selector, limit: limits.ownedPage, ...options });
      const children = items.filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid));
      all.push(...children.map(({ metadata }) => ({ kind, metadata })));
    }
  }
  return all;
}

/** Deletes the hidden principal of an object together with the object; no other code does. */
export async function deletePrincipal(store: Store, visible: Pick<Metadata, 'name' | 'labels'>): Promise<void> {
  await store.delete(Identity, labelOf(visible, labels.identity), { propagation: 'foreground' });
}
