import type { OwnerReference, Resource } from '../kinds/index.ts';

/**
 * Makes an object dependent on its owner: the store deletes it after the owner is deleted, or at once if the owner no
 * longer exists.
 */
export function ownedBy({ apiVersion, kind, metadata: { name, uid } }: Resource): OwnerReference {
  return { apiVersion, kind, name, uid };
}

/**
 * The same, but a foreground deletion of the owner waits until the object is deleted.
 *
 * @example const metadata = { ...naming, ownerReferences: [childOf(network)] };
 */
export function childOf(owner: Resource): OwnerReference {
  return { ...ownedBy(owner), blockOwnerDeletion: true };
}
