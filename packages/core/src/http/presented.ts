import { LRUCache } from 'lru-cache';

import type { Resource } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import type { Store } from '../store/index.ts';

interface Kept {
  readonly version: string;
  readonly text: string;
}

/** About what an entry takes besides its text. */
const entry_bytes = 200;

/**
 * How stored objects were last written on the wire, by operation and object. That follows from the object and its
 * version, so a list of what has not changed is a join of texts: presenting, checking and serialising take most of the
 * time of a list.
 */
export class PresentedObjects {
  readonly #kept = new LRUCache<string, Kept>({
    maxSize: limits.presentedBytes,
    sizeCalculation: ({ text }, key) => text.length + key.length + entry_bytes,
  });

  /** The text of the object as it is now, made anew when the one that is kept is of another version. */
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

/** Of one store: another may have another object under the same name and version. */
export function presentedFrom(store: Store): PresentedObjects {
  const presented = known.get(store) ?? new PresentedObjects();
  known.set(store, presented);
  return presented;
}
