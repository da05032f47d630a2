import type { Kind, Resource } from '../kinds/index.ts';
import type { Store } from './store.ts';

/**
 * An object from the copy in this process. The store itself is asked only if the copy does not have it, so an object
 * that another process has just created is found. For what does not change during the life of an object, such as its
 * place, and for checks that a later step repeats. A deletion of the last moments may be missed.
 *
 * @example const region = await getKnown(store, Region, regionId);
 */
export async function getKnown<K extends Kind>(store: Store, kind: K, name: string): Promise<Resource<K> | undefined> {
  return (await store.get(kind, name, { cached: true })) ?? (store.sole ? undefined : store.get(kind, name));
}
