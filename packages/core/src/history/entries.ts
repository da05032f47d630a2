import { isDeepStrictEqual } from 'node:util';

import { defined } from '../defined.ts';
import { isCascade } from './deletion.ts';
import type { HistoryEntry } from './kinds.ts';

/** How much is stored in one object, or for one day. */
export interface Capacity {
  readonly entries: number;
  readonly bytes: number;
}

export interface Trimmed {
  readonly entries: readonly HistoryEntry[];
  /** How many entries were removed to make room for later ones. */
  readonly dropped?: number;
}

/** Entries by time. Repetitions become one entry with a count. */
export function inOrder(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const ordered: HistoryEntry[] = [];
  for (const next of entries.toSorted(byTime)) {
    const last = ordered.at(-1);
    if (last && repeats(last, next)) ordered[ordered.length - 1] = counted(last, next);
    else ordered.push(next);
  }
  return ordered;
}

/** Removes the oldest entries that are over the capacity. Requests are removed last. */
export function trimmed(entries: readonly HistoryEntry[], capacity: Capacity): Trimmed {
  if (entries.length <= capacity.entries && sum(entries, mostBytes) <= capacity.bytes) return { entries };
  let count = entries.length;
  let bytes = sum(entries, bytesOf);
  const removed = new Set<HistoryEntry>();
  for (const entry of [...entries.filter(isExpendable), ...entries.filter((one) => !isExpendable(one))]) {
    if (count <= capacity.entries && bytes <= capacity.bytes) break;
    removed.add(entry);
    count -= 1;
    bytes -= bytesOf(entry);
  }
  return withDropped(
    entries.filter((entry) => !removed.has(entry)),
    removed.size,
  );
}

export function withDropped(entries: readonly HistoryEntry[], dropped: number): Trimmed {
  return { entries, ...(dropped > 0 ? { dropped } : {}) };
}

/** Whether the activity shows an entry: a request of a caller, or a deletion that follows from one. */
export function isActivity(entry: HistoryEntry): boolean {
  return entry.type === 'intent' || isCascade(entry);
}

/** Requests of callers are kept longest. */
export function isExpendable(entry: HistoryEntry): boolean {
  return !isActivity(entry);
}

/** The size of an entry in the store. */
export function bytesOf(entry: HistoryEntry): number {
  return Buffer.byteLength(JSON.stringify(entry));
}

/** A bound that needs no encoding: a character takes at most six bytes, and the fixed fields take less than 512. */
function mostBytes({
  action,
  outcome,
  actor = '',
  message = '',
  cause = '',
  requestId = '',
  changes = [],
}: HistoryEntry): number {
  const fixed = 512 + text(action) + text(outcome) + text(actor) + text(message) + text(cause) + text(requestId);
  return changes.reduce((bytes, change) => bytes + text(change.field) + text(change.action), fixed);
}

function text({ length }: string): number {
  return 6 * length + 32;
}

function sum(entries: readonly HistoryEntry[], bytes: (entry: HistoryEntry) => number): number {
  return entries.reduce((total, entry) => total + bytes(entry), 0);
}

function byTime(a: HistoryEntry, b: HistoryEntry): number {
  return a.time < b.time ? -1 : a.time > b.time ? 1 : 0;
}

function counted(last: HistoryEntry, next: HistoryEntry): HistoryEntry {
  const lastTime =
    [last, next]
      .map((entry) => entry.lastTime ?? entry.time)
      .toSorted()
      .at(-1) ?? next.time;
  const { requestId = last.requestId } = next;
  return { ...last, times: (last.times ?? 1) + (next.times ?? 1), lastTime, ...defined({ requestId }) };
}

/** Each request stays a separate entry. Repeated entries of controllers are counted. */
function repeats(last: HistoryEntry, next: HistoryEntry): boolean {
  const essence = ({ uid, type, action, outcome, actor, message, changes }: HistoryEntry) => [
    uid,
    type,
    action,
    outcome,
    actor,
    message,
    changes,
  ];
  return next.type !== 'intent' && next.action === last.action && isDeepStrictEqual(essence(last), essence(next));
}
