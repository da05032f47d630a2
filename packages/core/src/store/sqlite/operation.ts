import { isDeepStrictEqual } from 'node:util';

import { assertFits, type Kind, type OwnerReference, type Resource } from '../../kinds/index.ts';
import { encode } from '../encoding.ts';
import type { Transition } from '../transition.ts';
import type { LabelEntry, Operation, OwnerEntry } from './writer.ts';

/** A kind in one store. */
export interface KindEntry {
  readonly kind: Kind;
  readonly number: number;
}

/** The table rows of a transition: the object, and every index entry to add or remove. */
export function operationOf(
  { kind, number }: KindEntry,
  previous: Resource | undefined,
  next: Exclude<Transition, { type: 'unchanged' }>,
): Operation {
  const after = next.type === 'removed' ? undefined : next.object;
  const labels = difference(labelEntries(kind, previous), labelEntries(kind, after), sameEntry);
  const owners = difference(ownerEntries(previous), ownerEntries(after), sameEntry);
  const data = encode(after ?? previous ?? next.object);
  if (after) assertFits(kind, after, data);
  return {
    type: !previous ? 'added' : after ? 'modified' : 'deleted',
    kind: number,
    name: next.object.metadata.name,
    expected: previous ? Number(previous.metadata.resourceVersion) : 0,
    data,
    previous: previous && after && regrouped(previous, after) ? encode(previous) : null,
    removedLabels: labels.removed,
    addedLabels: labels.added,
    removedOwners: owners.removed.map(([uid]) => uid),
    addedOwners: owners.added,
  };
}

/** Whether watchers with a selector, or the garbage collector, need the previous state. */
function regrouped(previous: Resource, after: Resource): boolean {
  return (
    !isDeepStrictEqual(previous.metadata.labels, after.metadata.labels) ||
    !isDeepStrictEqual(previous.metadata.ownerReferences, after.metadata.ownerReferences)
  );
}

function labelEntries(kind: Kind, object: Resource | undefined): LabelEntry[] {
  const labels = object?.metadata.labels;
  if (!labels) return [];
  return kind.indexedLabels.flatMap((label, position) => {
    const value = labels[label];
    return value === undefined ? [] : [[position, value] as const];
  });
}

/** One entry per owner, even if it is named several times. */
function ownerEntries(object: Resource | undefined): OwnerEntry[] {
  const blocking = new Map<string, 0 | 1>();
  for (const reference of object?.metadata.ownerReferences ?? [])
    blocking.set(reference.uid, blocks(reference) || blocking.get(reference.uid) ? 1 : 0);
  return [...blocking];
}

function blocks(reference: OwnerReference): boolean {
  return reference.blockOwnerDeletion === true;
}

type Entry = readonly [number | string, number | string];

function sameEntry(a: Entry, b: Entry): boolean {
  return a[0] === b[0] && a[1] === b[1];
}

function difference<E>(
  before: readonly E[],
  after: readonly E[],
  same: (a: E, b: E) => boolean,
): { removed: E[]; added: E[] } {
  return {
    removed: before.filter((entry) => !after.some((other) => same(entry, other))),
    added: after.filter((entry) => !before.some((other) => same(entry, other))),
  };
}
