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
  const labels = labelChanges(kind, previous, after);
  const owners = ownerChanges(previous, after);
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
    removedOwners: owners.removed,
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

interface EntryChanges<Removed, Added> {
  readonly removed: readonly Removed[];
  readonly added: readonly Added[];
}

function labelChanges(
  { indexedLabels }: Kind,
  previous: Resource | undefined,
  after: Resource | undefined,
): EntryChanges<LabelEntry, LabelEntry> {
  const removed: LabelEntry[] = [];
  const added: LabelEntry[] = [];
  indexedLabels.forEach((label, position) => {
    const before = previous?.metadata.labels?.[label];
    const value = after?.metadata.labels?.[label];
    if (before === value) return;
    if (before !== undefined) removed.push([position, before]);
    if (value !== undefined) added.push([position, value]);
  });
  return { removed, added };
}

function ownerChanges(previous: Resource | undefined, after: Resource | undefined): EntryChanges<string, OwnerEntry> {
  // Nearly all writes keep the owners, or the object has none.
  if (previous?.metadata.ownerReferences === after?.metadata.ownerReferences) return { removed: [], added: [] };
  const before = ownersOf(previous);
  const now = ownersOf(after);
  return {
    removed: [...before].filter(([uid, blocking]) => now.get(uid) !== blocking).map(([uid]) => uid),
    added: [...now].filter(([uid, blocking]) => before.get(uid) !== blocking),
  };
}

/** One entry per owner, even if it is named several times. */
function ownersOf(object: Resource | undefined): ReadonlyMap<string, 0 | 1> {
  const blocking = new Map<string, 0 | 1>();
  for (const reference of object?.metadata.ownerReferences ?? [])
    blocking.set(reference.uid, blocks(reference) || blocking.get(reference.uid) ? 1 : 0);
  return blocking;
}

function blocks(reference: OwnerReference): boolean {
  return reference.blockOwnerDeletion === true;
}
