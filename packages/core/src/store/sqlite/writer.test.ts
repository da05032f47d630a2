import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import { Reader } from './reader.ts';
import { migrate } from './schema.ts';
import { firstVersion, refused, Writer, type Operation } from './writer.ts';

const added = (name: string, data = '{"metadata":{}}'): Operation => ({
  type: 'added',
  kind: 1,
  name,
  expected: 0,
  data,
  previous: null,
  removedLabels: [],
  addedLabels: [[0, 'red']],
  removedOwners: [],
  addedOwners: [],
});

function openWriter(): { writer: Writer; reader: Reader } {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  return { writer: new Writer(database, 100), reader: new Reader(database) };
}

function compactWholly(writer: Writer): void {
  while (writer.compactable) writer.compact();
}

describe('the writer', () => {
  it('refuses what is not as expected without touching its neighbours', () => {
    const { writer, reader } = openWriter();
    const update: Operation = { ...added('a'), type: 'modified', expected: 2, addedLabels: [] };
    expect(writer.commit([{ operations: [added('a'), added('a'), added('b')], collected: firstVersion }, { operations: [update, update], collected: firstVersion }])).toEqual([
      [2, refused, 3],
      [4, refused],
    ]);
    expect(reader.list(1, ['x'], [{ key: 'x', operator: 'in', values: ['red'] }], '', 10).map(([name, version]) => [name, version])).toEqual([
      ['a', 4],
      ['b', 3],
    ]);
  });

  it('leaves no trace of a batch that fails, not even in the numbering', () => {
    const { writer, reader } = openWriter();
    writer.commit([{ operations: [added('a')], collected: firstVersion }]);
    const broken: Operation = { ...added('c'), addedLabels: [[0, 'x'], [0, 'x']] };
    expect(() => writer.commit([{ operations: [added('b'), broken], collected: firstVersion }])).toThrow(/constraint/);
    expect([reader.head(), reader.get(1, 'b')]).toEqual([2, undefined]);
    expect(writer.commit([{ operations: [added('d')], collected: firstVersion }])).toEqual([[3]]);
  });

  it('keeps what the garbage collector has not seen, however old it is', () => {
    const { writer, reader } = openWriter();
    const operations = Array.from({ length: 300 }, (_, index) => added(`w${index}`));
    writer.commit([{ operations, collected: firstVersion }]);
    expect(writer.compactable).toBe(false);
    writer.commit([{ operations: [], collected: 150 }]);
    compactWholly(writer);
    expect([reader.floor(), reader.head()]).toEqual([150, 301]);
    writer.commit([{ operations: [], collected: 301 }]);
    compactWholly(writer);
    expect([reader.floor(), reader.head()]).toEqual([201, 301]);
  });
});
