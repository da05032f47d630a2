import type { Resource } from '../kinds/index.ts';
import { annotations } from '../resource/index.ts';
import { preciseTimestamp } from '../world/index.ts';
import type { HistoryEntry } from './kinds.ts';

/** The entry that an object was created, from what the object itself says. */
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

/** Who created an object, from what the object itself says. */
export function creatorOf({ metadata: { annotations: notes = {} } }: Resource): { readonly actor?: string } {
  const actor = notes[annotations.principalCreator] ?? notes[annotations.creator];
  return actor === undefined ? {} : { actor };
}

export function hasCreation(entries: readonly HistoryEntry[], uid: string): boolean {
  return entries.some((entry) => isCreation(entry) && entry.uid === uid);
}

/** Entries with exactly one creation of this object: the first recorded one, or else what the object says. */
export function withCreation(entries: readonly HistoryEntry[], object: Resource): readonly HistoryEntry[] {
  const { uid } = object.metadata;
  const recorded = entries.find((entry) => isCreation(entry) && entry.uid === uid);
  if (!recorded) return [creationOf(object), ...entries];
  return entries.filter((entry) => entry === recorded || !isCreation(entry) || entry.uid !== uid);
}

/** Entries without the creation of this object, which is stored already. */
export function withoutCreation(entries: readonly HistoryEntry[], uid: string): readonly HistoryEntry[] {
  return entries.filter((entry) => !isCreation(entry) || entry.uid !== uid);
}

export function isCreation({ type, action, outcome }: Pick<HistoryEntry, 'type' | 'action' | 'outcome'>): boolean {
  return type === 'intent' && action === 'create' && outcome === 'accepted';
}
