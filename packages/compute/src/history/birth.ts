import { annotations } from '@unikorn/core/resource';
import { preciseTimestamp } from '@unikorn/core/world';

import type { ComputeInstance, HistoryEntry } from '../kinds/index.ts';

/** That an instance was asked for, as the instance itself says it. */
export function birthOf(instance: ComputeInstance): HistoryEntry {
  const { uid, creationTimestamp } = instance.metadata;
  return {
    time: preciseTimestamp(Date.parse(creationTimestamp)),
    uid,
    type: 'intent',
    action: 'create',
    outcome: 'accepted',
    ...creatorOf(instance),
  };
}

/** Who asked for an instance, as the instance itself says it. */
export function creatorOf({ metadata: { annotations: notes = {} } }: ComputeInstance): { readonly actor?: string } {
  const actor = notes[annotations.principalCreator] ?? notes[annotations.creator];
  return actor === undefined ? {} : { actor };
}

/** Whether entries tell how a life of an instance began. */
export function tellsOfBirth(entries: readonly HistoryEntry[], uid: string): boolean {
  return entries.some((entry) => isBirth(entry) && entry.uid === uid);
}

/** Entries of a life with one beginning: the first that is noted, or what the instance says. */
export function withBirth(entries: readonly HistoryEntry[], life: ComputeInstance): readonly HistoryEntry[] {
  const { uid } = life.metadata;
  const noted = entries.find((entry) => isBirth(entry) && entry.uid === uid);
  if (!noted) return [birthOf(life), ...entries];
  return entries.filter((entry) => entry === noted || !isBirth(entry) || entry.uid !== uid);
}

/** Entries without the beginning of a life, which is told elsewhere. */
export function withoutBirth(entries: readonly HistoryEntry[], uid: string): readonly HistoryEntry[] {
  return entries.filter((entry) => !isBirth(entry) || entry.uid !== uid);
}

/** Whether an entry is the beginning of a life. */
export function isBirth({ type, action, outcome }: Pick<HistoryEntry, 'type' | 'action' | 'outcome'>): boolean {
  return type === 'intent' && action === 'create' && outcome === 'accepted';
}
