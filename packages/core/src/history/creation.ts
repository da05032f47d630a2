import type { Resource } from '../kinds/index.ts';
import { annotations } from '../resource/index.ts';
import { preciseTimestamp } from '../world/index.ts';
import type { HistoryEntry } from './kinds.ts';

/** The entry for the creation of an object, made from the object itself. */
export function creationOf(object: Resource): HistoryEntry {
  const { uid, creationTimestamp } = object.metadata;
  return {
    time: preciseTimestamp(Date.parse(creationTimestamp)),
    uid,
    type: 'intent',
    action: 'create',
    outcome: 'accepted',
    ...creatorOf(object),
  };
}

/** The creator of an object, read from the object itself. */
export function creatorOf({ metadata: { annotations: notes = {} } }: Resource): { readonly actor?: string } {
  const actor = notes[annotations.principalCreator] ?? notes[annotations.creator];
  return actor === undefined ? {} : { actor };
}

export function hasCreation(entries: readonly HistoryEntry[], uid: string): boolean {
  return entries.some((entry) => isCreation(entry) && entry.uid === uid);
}

/**
 * Adds the creation of this object if it is missing: the result has exactly one, the first recorded one or else the one
 * made from the object.
 */
export function withCreation(entries: readonly HistoryEntry[], object: Resource): readonly HistoryEntry[] {
  const { uid } = object.metadata;
  const recorded = entries.find((entry) => isCreation(entry) && entry.uid === uid);
  if (!recorded) return [creationOf(object), ...entries];
  return entries.filter((entry) => entry === recorded || !isCreation(entry) || entry.uid !== uid);
}

/** Removes the creation of this object, which is already stored. */
export function withoutCreation(entries: readonly HistoryEntry[], uid: string): readonly HistoryEntry[] {
  return entries.filter((entry) => !isCreation(entry) || entry.uid !== uid);
}

export function isCreation({ type, action, outcome }: Pick<HistoryEntry, 'type' | 'action' | 'outcome'>): boolean {
  return type === 'intent' && action === 'create' && outcome === 'accepted';
}
