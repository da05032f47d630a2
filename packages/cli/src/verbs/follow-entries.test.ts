import { setImmediate } from 'node:timers/promises';

import type { Change } from '@unikorn/sdk';
import { expect, it } from 'vitest';

import { Interrupted } from '../terminal.ts';
import { fakeTerminal } from '../testing/product.ts';
import { lineOfCells, mergedByTime, showEntries } from './follow-entries.ts';

interface Entry {
  readonly time: string;
  readonly what: string;
}

const added = (what: string, time = what): Change<Entry> => ({ type: 'added', object: { time, what } });
const synced: Change<Entry> = { type: 'synced' };

/** A stream that ends with Ctrl-C. */
async function* interrupted(...changes: readonly Change<Entry>[]): AsyncGenerator<Change<Entry>> {
  for (const change of changes) {
    await setImmediate();
    yield change;
  }
  await setImmediate();
  throw new Interrupted();
}

/** A stream that stays open. */
async function* open(...changes: readonly Change<Entry>[]): AsyncGenerator<Change<Entry>> {
  yield* changes;
  await new Promise(() => undefined);
}

async function shown(changes: AsyncIterable<Change<Entry>>, interactive: boolean, format?: 'json'): Promise<string> {
  const terminal = fakeTerminal({ interactive });
  const names = () => Promise.resolve('');
  await showEntries(
    changes,
    { terminal, names, format, projects: false },
    {
      table: (entries) => Promise.resolve(`TABLE ${entries.map(({ what }) => what).join(' ')}\n`),
      line: ({ what }) => Promise.resolve(lineOfCells([what, '', 'done'])),
    },
  );
  await setImmediate();
  return terminal.written().stdout;
}

it('a terminal gets the latest entries as a table, then a line for each new entry', async () => {
  expect(await shown(interrupted(added('a'), added('b'), synced, added('c')), true)).toBe('TABLE a b\nc   done\n');
});

it('a pipe gets a line for each entry, with -o json a document', async () => {
  expect(await shown(interrupted(added('a'), synced, added('b')), false)).toBe('a   done\nb   done\n');
  expect(await shown(interrupted(added('a'), synced, added('b')), false, 'json')).toBe(
    '{"time":"a","what":"a"}\n{"time":"b","what":"b"}\n',
  );
});

it('entries that come again after the stream started over are not printed again', async () => {
  const again = [{ type: 'reset' } as const, added('a'), added('b'), added('c'), synced];
  expect(await shown(interrupted(added('a'), added('b'), synced, ...again, added('d')), false)).toBe(
    'a   done\nb   done\nc   done\nd   done\n',
  );
});

it('streams of several services begin with the latest entries of all in the order of time, then go on as they come', async () => {
  const streams = [
    interrupted(added('one', '1'), added('four', '4'), synced, added('six', '6')),
    open(added('two', '2'), added('three', '3'), synced),
  ];
  expect(await shown(mergedByTime(streams, 3), true)).toBe('TABLE two three four\nsix   done\n');
});
