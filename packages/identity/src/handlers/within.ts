import type { Kind, Resource } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import { matching, type ReadOptions, type Store } from '@unikorn/core/store';

import { Group } from '../kinds/index.ts';

/** All objects of a kind in the organization, sorted by id. */
export async function allWithin<K extends Kind>(
  store: Store,
  kind: K,
  organizationId: string,
  options: ReadOptions = {},
): Promise<readonly Resource<K>[]> {
  return (await store.list(kind, { selector: matching({ [labels.organization]: organizationId }), ...options })).items;
}

/** The groups with these ids that the organization has. Each is read by name, so no other group costs anything. */
export async function groupsNamed(
  store: Store,
  organizationId: string,
  ids: readonly string[],
): Promise<readonly Resource<typeof Group>[]> {
  const found = await Promise.all(ids.map((id) => store.get(Group, id)));
  return found.flatMap((group) => (group?.metadata.labels?.[labels.organization] === organizationId ? [group] : []));
}

/** The ids without duplicates, in the given order. */
export function distinct(ids: readonly string[]): readonly string[] {
  return [...new Set(ids)];
}
