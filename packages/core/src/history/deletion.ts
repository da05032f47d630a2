import { defined } from '../defined.ts';
import type { Resource } from '../kinds/index.ts';
import { causeInWords, deletionMarkOf } from '../references/index.ts';
import { preciseTimestamp } from '../world/index.ts';
import type { HistoryEntry, HistoryEvent } from './kinds.ts';
import type { Transition } from './subject.ts';

/** The event that the deletion of an object has begun, from what the object itself says. */
export function deletionOf(object: Resource): Transition {
  // A direct request is an entry of its own. If the object is deleted together with another one, only the mark says who
  // asked.
  const mark = deletionMarkOf(object);
  return {
    action: 'deletion',
    outcome: 'begun',
    ...defined({ actor: mark?.by, message: mark && causeInWords(mark) }),
  };
}

/** The same event for an object whose deletion began before this process did. */
export function earlierDeletionOf(object: Resource, deletionTimestamp: string): HistoryEvent {
  // Deletion timestamps are in whole seconds. The mark, which is written before the deletion, has a precise time.
  const times = [deletionTimestamp, deletionMarkOf(object)?.at ?? deletionTimestamp];
  const time = preciseTimestamp(Math.max(...times.map((one) => Date.parse(one))));
  return { ...deletionOf(object), type: 'transition', uid: object.metadata.uid, time };
}

export function isDeletionBegun({ type, action, outcome }: Pick<HistoryEntry, 'type' | 'action' | 'outcome'>): boolean {
  return type === 'transition' && action === 'deletion' && outcome === 'begun';
}

/** The entry that an object is gone, which is the last one of its history. */
export function goneEntry(uid: string, time: string): HistoryEntry {
  return { time, type: 'transition', uid, action: 'deletion', outcome: 'gone' };
}

/** The last entries of an object, with the entry that it is gone at a later time. */
export function goneLater(entries: readonly HistoryEntry[], { uid, time }: HistoryEntry): HistoryEntry[] {
  const isGone = (entry: HistoryEntry) =>
    entry.type === 'transition' && entry.action === 'deletion' && entry.outcome === 'gone' && entry.uid === uid;
  return entries.map((entry) => (isGone(entry) ? { ...entry, time } : entry));
}
