import { defined } from '../defined.ts';
import type { Kind, Resource } from '../kinds/index.ts';
import { causeFrom, causeInWords, deletionMarkOf, type DeletionMark } from '../references/index.ts';
import type { Store } from '../store/index.ts';
import { preciseTimestamp } from '../world/index.ts';
import type { HistoryEntry } from './kinds.ts';

type Event = Pick<HistoryEntry, 'type' | 'action' | 'outcome' | 'cause'>;

/**
 * Who deleted the owner of an object that the store deletes with it, and why. An owner that is deleted in the
 * foreground stays until the object is gone.
 */
export async function deletionCause(
  store: Store,
  owners: readonly Kind[],
  { metadata: { ownerReferences = [] } }: Resource,
): Promise<DeletionMark | undefined> {
  for (const { kind, name, uid } of ownerReferences) {
    const ownerKind = owners.find((one) => one.kind === kind);
    if (!ownerKind) continue;
    const owner = await store.get(ownerKind, name);
    const cause = owner?.metadata.uid === uid ? causeFrom(ownerKind, owner) : undefined;
    if (cause) return cause;
  }
  return undefined;
}

/** The entry that the deletion of an object has begun. */
export function deletionEntry(uid: string, time: string, mark: DeletionMark | undefined): HistoryEntry {
  return {
    time,
    type: 'transition',
    uid,
    action: 'deletion',
    outcome: 'begun',
    ...defined({ actor: mark?.by, message: mark && causeInWords(mark), cause: mark?.root }),
  };
}

/** The time at which a deletion began, from what the object itself says. */
export function deletionTime(object: Resource, deletionTimestamp: string): string {
  // Deletion timestamps are in whole seconds. The mark, which is written before the deletion, has a precise time.
  const times = [deletionTimestamp, deletionMarkOf(object)?.at ?? deletionTimestamp];
  return preciseTimestamp(Math.max(...times.map((one) => Date.parse(one))));
}

export function isDeletionBegun({ type, action, outcome }: Event): boolean {
  return type === 'transition' && action === 'deletion' && outcome === 'begun';
}

/** Whether an entry is about a deletion that follows from the deletion of another object. */
export function isCascade(entry: Event): boolean {
  return isDeletionBegun(entry) && entry.cause !== undefined;
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
