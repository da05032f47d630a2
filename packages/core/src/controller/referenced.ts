import type { Kind } from '../kinds/index.ts';
import { listed, ReferenceRecord, referencesTo, shownUsers, userWords } from '../references/index.ts';
import { remaining, type Store } from '../store/index.ts';
import type { WatchCache } from './cache.ts';
import { yieldFor, type Yield } from './outcome.ts';
import { related, type Related } from './related.ts';

/**
 * Keeps an object from being removed while other objects refer to it. `lettingGo` wakes it when a reference is removed.
 *
 * @example const waiting = await waitWhileReferenced(store, Network, metadata.name); if (waiting) return waiting;
 */
export async function waitWhileReferenced(store: Store, kind: Kind, name: string): Promise<Yield<never> | undefined> {
  const references = await remaining(store, (options) => referencesTo(store, kind, name, shownUsers + 1, options));
  return references.length === 0
    ? undefined
    : yieldFor({ message: `still used by ${listed(references.map(userWords))}` });
}

/**
 * Wakes an object that is being deleted when a reference to it is removed.
 *
 * @example new Controller({ kind: Network, related: [lettingGo(caches.of(Network))], … }, context);
 */
export function lettingGo<K extends Kind>(objects: WatchCache<K>): Related {
  return related(ReferenceRecord, ({ spec: { used } }) =>
    used.kind === objects.kind.id && objects.get(used.id)?.metadata.deletionTimestamp !== undefined ? [used.id] : [],
  );
}
