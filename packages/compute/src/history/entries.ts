import { isDeepStrictEqual } from 'node:util';

import type { HistoryEntry } from '../kinds/index.ts';

/** How much of a history is kept together. */
export interface Room {
  readonly entries: number;
  readonly bytes: number;
}

export interface Kept {
  readonly entries: readonly HistoryEntry[];
  /** How many gave way to later ones. */
  readonly dropped?: number;
}

/** In the order in which it happened; what repeats itself is counted. */
export function inOrder(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const ordered: HistoryEntry[] = [];
  for (const next of entries.toSorted(byTime)) {
    const last = ordered.at(-1);
    if (last && repeats(last, next)) ordered[ordered.length - 1] = counted(last, next);
    else ordered.push(next);
  }
  return ordered;
}

/** As much as there is room for, without the oldest. What nobody asked for gives way first. */
export function fitted(entries: readonly HistoryEntry[], room: Room): Kept {
  let count = entries.length;
  let bytes = entries.reduce((sum, entry) => sum + bytesOf(entry), 0);
  const gone = new Set<HistoryEntry>();
  for (const entry of [...entries.filter(isExpendable), ...entries.filter((one) => !isExpendable(one))]) {
    if (count <= room.entries && bytes <= room.bytes) break;
    gone.add(entry);
    count -= 1;
    bytes -= bytesOf(entry);
  }
  return withDropped(
    entries.filter((entry) => !gone.has(entry)),
    gone.size,
  );
}

export function withDropped(entries: readonly HistoryEntry[], dropped: number): Kept {
  return { entries, ...(dropped > 0 ? { dropped } : {}) };
}

/** What nobody asked for. */
export function isExpendable({ type }: HistoryEntry): boolean {
  return type !== 'intent';
}

/** What an entry takes where it is stored. */
export function bytesOf(entry: HistoryEntry): number {
  return Buffer.byteLength(JSON.stringify(entry));
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
  return { ...last, times: (last.times ?? 1) + (next.times ?? 1), lastTime };
}

/** Every intent stands for itself; what machinery does over and over is one thing. */
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
