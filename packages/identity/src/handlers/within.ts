import type { Kind, Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import { matching, type Store } from '@unikorn/core/store';

/** All objects of a kind in the organization, sorted by id. */
export async function allWithin<K extends Kind>(
  store: Store,
  kind: K,
  organizationId: string,
): Promise<readonly Resource<K>[]> {
  return (await store.list(kind, { selector: matching({ [labels.organization]: organizationId }) })).items;
}

/** The ids without duplicates, in the given order. */
export function distinct(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)];
}
