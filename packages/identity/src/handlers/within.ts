import type { Kind, Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import { matching, type Store } from '@unikorn/core/store';

/** Every object of a kind that belongs to the organization, in order of id. */
export async function allWithin<K extends Kind>(
  store: Store,
  kind: K,
  organizationId: string,
): Promise<readonly Resource<K>[]> {
  return (await store.list(kind, { selector: matching({ [labels.organization]: organizationId }) })).items;
}

/** The same ids, each once and in the order they were given. */
export function distinct(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)];
}
