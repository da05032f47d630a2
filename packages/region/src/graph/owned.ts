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
 * Holds up the removal of something until all that belongs to it is gone. It is deleted again in the foreground for
 * that: whoever deleted it otherwise must not be able to leave behind what can then be reached by nobody.
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

/** The things that belong to something, the first of each kind. */
export async function ownedBy(store: Store, kind: Kind, owner: Owner): Promise<readonly Child[]> {
  const all: Child[] = [];
  for await (const children of childrenPages(store, kind, owner)) all.push(...children);
  return all;
}

/** The first children of each kind that something can own. */
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

/** Whoever deletes something deletes the principal behind it, which nobody else would. */
export async function deletePrincipal(store: Store, visible: Pick<Metadata, 'name' | 'labels'>): Promise<void> {
  await store.delete(Identity, labelOf(visible, labels.identity), { propagation: 'foreground' });
}
