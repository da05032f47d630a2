import { defined } from '../defined.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import type { Store } from '../store/index.ts';

/**
 * All objects of a kind, read page by page. Objects may be changed or deleted meanwhile.
 *
 * @example for await (const { metadata } of objectsOf(store, Network)) names.push(metadata.name);
 */
export async function* objectsOf<K extends Kind>(store: Store, kind: K): AsyncGenerator<Resource<K>> {
  let next: string | undefined;
  do {
    const page = await store.list(kind, { limit: limits.pageItems, ...defined({ continue: next }) });
    yield* page.items;
    next = page.continue;
  } while (next !== undefined);
}
