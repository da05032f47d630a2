import type { OwnerReference, Resource } from '../kinds/index.ts';

/**
 * Says that an object goes with its owner: the store collects it once the owner is gone, and at once if it is gone
 * already.
 */
export function ownedBy({ apiVersion, kind, metadata: { name, uid } }: Resource): OwnerReference {
  return { apiVersion, kind, name, uid };
}

/** The same, and whoever deletes the owner in the foreground waits for the object to be gone first. */
export function childOf(owner: Resource): OwnerReference {
  return { ...ownedBy(owner), blockOwnerDeletion: true };
}
