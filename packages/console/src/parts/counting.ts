import { useMemo, useRef } from 'react';

/**
 * The places at which a list has another object than before; undefined if it has another length. A live list replaces
 * objects that change at their place, so that all others need not be looked at: ten thousand of them are in as many
 * places of the memory.
 */
export function changedPlaces<Item>(before: readonly Item[], after: readonly Item[]): readonly number[] | undefined {
  if (before.length !== after.length) return undefined;
  const places: number[] = [];
  for (let place = 0; place < after.length; place += 1) if (before[place] !== after[place]) places.push(place);
  return places;
}

/** How many objects of a list are in each group. */
export interface Counted<Item, Group> {
  readonly items: readonly Item[];
  readonly counts: ReadonlyMap<Group, number>;
}

/** Counts the objects of a list; only those that have changed since it was counted before. */
export function counted<Item, Group>(
  items: readonly Item[],
  groupOf: (item: Item) => Group,
  before: Counted<Item, Group> = { items: [], counts: new Map() },
): Counted<Item, Group> {
  const places = changedPlaces(before.items, items);
  const counts = new Map(places && before.counts);
  const add = (item: Item | undefined, amount: 1 | -1) => {
    if (item === undefined) return;
    const group = groupOf(item);
    const count = (counts.get(group) ?? 0) + amount;
    if (count === 0) counts.delete(group);
    else counts.set(group, count);
  };
  if (!places) for (const item of items) add(item, 1);
  for (const place of places ?? []) {
    add(before.items[place], -1);
    add(items[place], 1);
  }
  return { items, counts };
}

/** How many objects of a live list are in each group. The function must be the same at each drawing. */
export function useCounts<Item, Group>(
  items: readonly Item[],
  groupOf: (item: Item) => Group,
): ReadonlyMap<Group, number> {
  const before = useRef<Counted<Item, Group>>(undefined);
  return useMemo(() => (before.current = counted(items, groupOf, before.current)), [items, groupOf]).counts;
}
