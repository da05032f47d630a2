import type { OwnerReference, Resource } from '../kinds/index.ts';

/** Says that an object goes with its owner: the store collects it once the owner is gone, and at once if it is gone already. */
export function ownedBy({ apiVersion, kind, metadata: { name, uid } }: Resource): OwnerReference {
  return { apiVersion, kind, name, uid };
}
