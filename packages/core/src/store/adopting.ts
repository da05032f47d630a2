import type { Kind, Resource } from '../kinds/index.ts';

export interface StoredObject {
  readonly kind: Kind;
  readonly object: Resource;
}

/**
 * A store that takes over objects of another store, with the uid, the times and the generation that they have there.
 * Only tools use this, while nothing else writes.
 */
export interface AdoptingStore {
  /** Writes an object. Its owners must be there already. It can be repeated. */
  adopt(kind: Kind, object: Resource): Promise<void>;
  /**
   * Marks an object for deletion, if it is marked in the other store. Called after all objects are there, because the
   * store removes a marked object when nothing depends on it.
   */
  adoptDeletion(kind: Kind, object: Resource): Promise<void>;
}
