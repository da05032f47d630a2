import { yieldFor, type Yield } from '@unikorn/core/controller';
import type { Kind, Metadata } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import { matching, type Store } from '@unikorn/core/store';

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
  if (!(await ownsAny(store, kind, owner))) return undefined;
  await store.delete(kind, owner.name, { propagation: 'foreground', preconditions: { uid: owner.uid } });
  return yieldFor({ message: 'waiting until the resources that belong to it are deleted' });
}

async function ownsAny(store: Store, kind: Kind, owner: Owner): Promise<boolean> {
  for await (const children of childrenPages(store, kind, owner)) if (children.length > 0) return true;
  return false;
}

interface Child {
  readonly kind: Kind;
  readonly metadata: Metadata;
}

/** The first objects of each kind that belong to this one. */
export async function ownedBy(store: Store, kind: Kind, owner: Owner): Promise<readonly Child[]> {
  const all: Child[] = [];
  for await (const children of childrenPages(store, kind, owner)) all.push(...children);
  return all;
}

/** The first children of each kind that an object can own. */
async function* childrenPages(store: Store, ownerKind: Kind, { name, uid }: Owner): AsyncGenerator<readonly Child[]> {
  for (const { owned, label } of childrenOf(ownerKind.id)) {
    for (const kind of projectKinds.filter(({ id }) => id === owned)) {
      const { items } = await store.list(kind, { selector: matching({ [label]: name }), limit: limits.ownedPage });
      yield items.flatMap(({ metadata }) =>
        metadata.ownerReferences?.some((owner) => owner.uid === uid) ? [{ kind, metadata }] : [],
      );
    }
  }
}

/** Deletes the hidden principal of an object together with the object; no other code does. */
export async function deletePrincipal(store: Store, visible: Pick<Metadata, 'name' | 'labels'>): Promise<void> {
  await store.delete(Identity, labelOf(visible, labels.identity), { propagation: 'foreground' });
}
