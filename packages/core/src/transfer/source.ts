import type { Kind } from '../kinds/index.ts';
import { objectsOf } from '../migration/index.ts';
import type { Store, StoredObject } from '../store/index.ts';
import { isImportRecord } from './import-record.ts';

/** Objects that are moved or copied. They can be read several times, always in the same order. */
export interface ObjectSource {
  objects(): AsyncIterable<StoredObject>;
}

/** Decides whether an object belongs to the installation. */
export type Wanted = (stored: StoredObject) => boolean;

/**
 * The objects of a store, in order of kind and name. Nothing must write to the store meanwhile.
 *
 * @example const source = storeSource(store, controlPlaneKinds);
 */
export function storeSource(store: Store, kinds: readonly Kind[], wanted: Wanted = () => true): ObjectSource {
  return {
    async *objects() {
      for (const kind of kinds)
        for await (const object of objectsOf(store, kind)) {
          const stored = { kind, object };
          if (!isImportRecord(stored) && wanted(stored)) yield stored;
        }
    },
  };
}
