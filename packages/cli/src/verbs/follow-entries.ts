import type { Change } from '@unikorn/sdk';

import { limits } from '../limits.ts';
import { documentText, type Printing } from '../output/print.ts';
import { paintedText, type TableText } from '../output/table.ts';
import { Interrupted } from '../terminal.ts';

/** How entries look to a user. */
export interface EntryText<Entry> {
  table(entries: readonly Entry[]): Promise<string>;
  line(entry: Entry): Promise<string>;
}

const { followedEntries: remembered } = limits;

/**
 * Prints entries as they are written, until Ctrl-C: the latest entries as a table on a terminal, then a line for each
 * new entry. Elsewhere every entry is a line, with `-o json` a document in each.
 */
export async function showEntries<Entry>(
  changes: AsyncIterable<Change<Entry>>,
  { terminal, format }: Printing,
  text: EntryText<Entry>,
): Promise<void> {
  const { stdout } = terminal;
  const lineOf = async (entry: Entry): Promise<string> => {
    if (format === 'json') return `${JSON.stringify(entry)}\n`;
    if (format === 'yaml') return `---\n${await documentText('yaml', entry)}`;
    return text.line(entry);
  };
  const isTable = stdout.isTTY && format !== 'json' && format !== 'yaml';
  const shown = new Set<string>();
  let first: Entry[] | undefined = isTable ? [] : undefined;
  try {
    for await (const change of changes) {
      if (change.type === 'synced' && first) {
        stdout.write(await text.table(first));
        first = undefined;
      }
      if (change.type !== 'added') continue;
      const key = JSON.stringify(change.object);
      if (shown.has(key)) continue;
      shown.add(key);
      if (shown.size > remembered) for (const oldest of [...shown].slice(0, remembered / 2)) shown.delete(oldest);
      if (first) first.push(change.object);
      else stdout.write(await lineOf(change.object));
    }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  }
}

/** Cells of a line that follows a table. */
export function lineOfCells(cells: readonly TableText[]): string {
  return `${cells
    .filter((cell) => cell !== '')
    .map(paintedText)
    .join('   ')}\n`;
}

/**
 * Merges streams of entries: first the latest entries of all of them in the order of time, at most `limit`, then new
 * entries as they come.
 */
export async function* mergedByTime<Entry extends { readonly time: string }>(
  streams: readonly AsyncIterable<Change<Entry>>[],
  limit: number,
): AsyncGenerator<Change<Entry>> {
  const iterators = streams.map((stream) => stream[Symbol.asyncIterator]());
  const latest = await Promise.all(iterators.map(untilSynced));
  const entries = latest.flat().toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
  for (const object of entries.slice(-limit)) yield { type: 'added', object };
  yield { type: 'synced' };
  const waiting = new Map(iterators.map((iterator) => [iterator, taken(iterator)]));
  for (;;) {
    const { iterator, result } = await Promise.race(waiting.values());
    if (result.done) return;
    // The stream of each service is restarted separately, so the others are not affected.
    if (result.value.type === 'added') yield result.value;
    waiting.set(iterator, taken(iterator));
  }
}

async function untilSynced<Entry>(iterator: AsyncIterator<Change<Entry>>): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (;;) {
    const result = await iterator.next();
    if (result.done || result.value.type === 'synced') return entries;
    if (result.value.type === 'added') entries.push(result.value.object);
  }
}

function taken<Entry>(iterator: AsyncIterator<Change<Entry>>) {
  const next = iterator.next().then((result) => ({ iterator, result }));
  // After another stream has failed, no reader handles a failure of this one.
  next.catch(() => undefined);
  return next;
}
