import { isDeepStrictEqual } from 'node:util';

import type { SpecOf } from '@unikorn/core/kinds';

import type { HistoryEntry, InstanceHistory } from '../kinds/index.ts';

type Page = SpecOf<typeof InstanceHistory>;

/** More than people and a healthy controller do in a day, and together far smaller than an object may be. */
export const entriesPerDay = 500;

/** A page with what else happened, in the order in which it did. What repeats itself is counted, and in a full page it is what people asked for that stays. */
export function appended(page: Page, added: readonly HistoryEntry[]): Page {
  const [first, ...others] = added.toSorted(byTime);
  if (!first) return page;
  // Several may write, and what is noted first is not always written first.
  const after = page.entries.findIndex(({ time }) => time > first.time);
  const [earlier, later] = after < 0 ? [page.entries, []] : [page.entries.slice(0, after), page.entries.slice(after)];
  const entries = [first, ...others, ...later].toSorted(byTime).reduce(withEntry, earlier);
  const excess = Math.max(0, entries.length - entriesPerDay);
  const dropped = (page.dropped ?? 0) + excess;
  return { entries: excess > 0 ? without(entries, excess) : entries, ...(dropped > 0 ? { dropped } : {}) };
}

function byTime(a: HistoryEntry, b: HistoryEntry): number {
  return a.time < b.time ? -1 : a.time > b.time ? 1 : 0;
}

function withEntry(entries: readonly HistoryEntry[], next: HistoryEntry): readonly HistoryEntry[] {
  const last = entries.at(-1);
  if (!last || !repeats(last, next)) return [...entries, next];
  const lastTime = [last, next].map((entry) => entry.lastTime ?? entry.time).toSorted().at(-1) ?? next.time;
  return [...entries.slice(0, -1), { ...last, times: (last.times ?? 1) + (next.times ?? 1), lastTime }];
}

/** Every intent stands for itself; what machinery does over and over is one thing. */
function repeats(last: HistoryEntry, next: HistoryEntry): boolean {
  const essence = ({ uid, type, action, outcome, actor, message, changes }: HistoryEntry) => [uid, type, action, outcome, actor, message, changes];
  return next.type !== 'intent' && isDeepStrictEqual(essence(last), essence(next));
}

/** Without the oldest, those first that nobody asked for. */
function without(entries: readonly HistoryEntry[], excess: number): readonly HistoryEntry[] {
  const expendable = [...entries.filter(({ type }) => type !== 'intent'), ...entries.filter(({ type }) => type === 'intent')];
  const gone = new Set(expendable.slice(0, excess));
  return entries.filter((entry) => !gone.has(entry));
}
