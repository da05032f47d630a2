import { LRUCache } from 'lru-cache';

import type { Resource } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import type { Store } from '../store/index.ts';

interface Kept {
  readonly version: string;
  readonly text: string;
}

/** Approximate size of an entry without its text. */
const entry_bytes = 200;

/**
 * Caches the JSON text of stored objects, by operation and object. The text only depends on the object and its version,
 * so a list of unchanged objects only joins texts: presenting, validating and serialising take most of the time of a
 * list.
 */
export class PresentedObjects {
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: limits.presentedBytes,
    sizeCalculation: ({ text }, key) => text.length + key.length + entry_bytes,
  });

  /** The text of the object in its current version. It is computed again if the cached text is of another version. */
  text(operation: string, { metadata: { uid, resourceVersion } }: Resource, present: () => string): string {
    const key = `${operation} ${uid}`;
    const kept = this.#kept.get(key);
    if (kept?.version === resourceVersion) return kept.text;
    const text = present();
    this.#kept.set(key, { version: resourceVersion, text });
    return text;
  }
}

const known = new WeakMap<Store, PresentedObjects>();

/** The cache of one store: another store may have another object with the same name and version. */
export function presentedFrom(store: Store): PresentedObjects {
  const presented = known.get(store) ?? new PresentedObjects();
  known.set(store, presented);
  return presented;
}
