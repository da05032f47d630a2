import type { Kind } from '../kinds/index.ts';
import type { Store } from '../store/index.ts';
import type { Caches } from './caches.ts';
import type { Owners } from './cascade.ts';

/** Owners that a test keeps in the same store. */
export function storedOwners(
  kind: Kind,
  { caches, store }: { readonly caches: Caches; readonly store: Store },
): Owners {
  const owners = caches.of(kind);
  return {
    copy: () => owners,
    stays: (id) => {
      const owner = owners.get(id);
      return owner !== undefined && owner.metadata.deletionTimestamp === undefined;
    },
    subscribe: (listener) =>
      owners.subscribe(({ type, object: { metadata } }) => {
        if (type === 'deleted' || metadata.deletionTimestamp !== undefined) listener(metadata.name);
      }),
    fate: async (id) => {
      const owner = await store.get(kind, id);
      return { stays: owner !== undefined && owner.metadata.deletionTimestamp === undefined };
    },
  };
}
