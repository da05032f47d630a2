import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import { Query } from './query.ts';
import { Reader } from './reader.ts';
import { firstVersion, migrate } from './schema.ts';
import { refused, usualRetention, Writer, type Operation, type Retention } from './writer.ts';

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

function openWriter(retention: Partial<Retention> = { changes: 100 }): {
  writer: Writer;
  reader: Reader;
  database: DatabaseSync;
} {
  const database = new DatabaseSync(':memory:');
  database.exec('PRAGMA auto_vacuum = INCREMENTAL');
  migrate(database);
  return { writer: new Writer(database, { ...usualRetention, ...retention }), reader: new Reader(database), database };
}

function compactWholly(writer: Writer): void {
  while (writer.compactable) writer.compact();
}

describe('the writer', () => {
  it('refuses an operation with a wrong expectation without affecting others', () => {
    const { writer, reader } = openWriter();
    const update: Operation = { ...added('a'), type: 'modified', expected: 2, addedLabels: [] };
    expect(
      writer.commit([
        { operations: [added('a'), added('a'), added('b')], collected: firstVersion },
        { operations: [update, update], collected: firstVersion },
      ]),
    ).toEqual([
      [2, refused, 3],
      [4, refused],
    ]);
    expect(
      reader
        .list(1, ['x'], [{ key: 'x', operator: 'in', values: ['red'] }], { after: '', limit: 10, bytes: 1_000 })
        .rows.map(([name, version]) => [name, version]),
    ).toEqual([
      ['a', 4],
      ['b', 3],
    ]);
  });

  it('leaves nothing of a failed batch, not even in the versions', () => {
    const { writer, reader } = openWriter();
    writer.commit([{ operations: [added('a')], collected: firstVersion }]);
    const broken: Operation = {
      ...added('c'),
      addedLabels: [
        [0, 'x'],
        [0, 'x'],
      ],
    };
    expect(() => writer.commit([{ operations: [added('b'), broken], collected: firstVersion }])).toThrow(/constraint/);
    expect([reader.head(), reader.get(1, 'b')]).toEqual([2, undefined]);
    expect(writer.commit([{ operations: [added('d')], collected: firstVersion }])).toEqual([[3]]);
  });

  it('stores how far garbage collection has come with the next commit when the last one failed', () => {
    const { writer, reader } = openWriter();
    writer.commit([{ operations: [added('a'), added('b')], collected: firstVersion }]);
    const broken: Operation = {
      ...added('c'),
      addedLabels: [
        [0, 'x'],
        [0, 'x'],
      ],
    };
    expect(() => writer.commit([{ operations: [broken], collected: 3 }])).toThrow(/constraint/);
    expect(reader.collected()).toBe(firstVersion);
    writer.commit([{ operations: [], collected: 3 }]);
    expect(reader.collected()).toBe(3);
  });

  it('keeps changes that the garbage collector has not seen, however old they are', () => {
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

  it('keeps no more text of changes than allowed, and always the last change', () => {
    const { writer, reader, database } = openWriter({ bytes: 10_000 });
    const bulky = (name: string, bytes: number) =>
      added(name, JSON.stringify({ metadata: {}, text: 'x'.repeat(bytes) }));
    for (let index = 0; index < 50; index++) {
      writer.commit([{ operations: [bulky(`w${index}`, 1_000)], collected: reader.head() }]);
      compactWholly(writer);
      expect(keptBytes(database)).toBeLessThanOrEqual(10_000 * 1.125);
    }
    expect(reader.head()).toBe(51);
    expect(reader.floor()).toBeGreaterThan(40 - 2);
    writer.commit([{ operations: [bulky('huge', 50_000)], collected: 51 }]);
    writer.commit([{ operations: [], collected: 52 }]);
    compactWholly(writer);
    expect([reader.floor(), reader.head()]).toEqual([51, 52]);
  });

  it('counts the text of changes again after a restart, and in a file of an earlier release', () => {
    const { writer, database } = openWriter();
    const [first, second]: Operation[] = [
      added('a', '{"metadata":{},"x":"ä"}'),
      { ...added('b'), previous: '{"metadata":{}}' },
    ];
    writer.commit([{ operations: [first ?? added('a')], collected: firstVersion }]);
    database.exec(toFirstRelease);
    migrate(database);
    const again = new Writer(database, { changes: 100, bytes: 1 });
    again.commit([{ operations: second ? [second] : [], collected: 3 }]);
    expect(loggedBytes(database)).toBe(keptBytes(database));
    compactWholly(again);
    expect(loggedBytes(database)).toBe(keptBytes(database));
  });

  it('returns unused pages, except those that are soon needed again', () => {
    const { writer, reader, database } = openWriter({ bytes: 1_000_000 });
    const text = JSON.stringify({ metadata: {}, text: 'x'.repeat(500_000) });
    const names = Array.from({ length: 60 }, (_, index) => `w${index}`);
    writer.commit([{ operations: names.map((name) => added(name, text)), collected: firstVersion }]);
    const grown = reader.size_bytes();
    writer.commit([
      {
        operations: names.map((name, index) => ({
          ...added(name, text),
          type: 'deleted' as const,
          expected: index + 2,
          removedLabels: [[0, 'red']] as const,
          addedLabels: [],
        })),
        collected: firstVersion,
      },
    ]);
    writer.commit([{ operations: [], collected: reader.head() }]);
    compactWholly(writer);
    for (let steps = 0; writer.shrinkable && steps < 100; steps++) writer.shrink();
    expect(grown).toBeGreaterThan(60_000_000);
    expect(reader.size_bytes()).toBeLessThan(36_000_000);
    expect(new Query<[string]>(database, 'PRAGMA integrity_check').get()?.[0]).toBe('ok');
  });

  it('acknowledges no write before it is on the disk, also after a compaction', () => {
    const { writer, reader, database } = openWriter({ changes: 10 });
    const synchronous = new Query<[number]>(database, 'PRAGMA synchronous');
    const full = 2;
    writer.commit([
      { operations: Array.from({ length: 50 }, (_, index) => added(`w${index}`)), collected: firstVersion },
    ]);
    writer.commit([{ operations: [], collected: reader.head() }]);
    expect(writer.compactable).toBe(true);
    writer.compact();
    expect(synchronous.get()?.[0]).toBe(full);
    writer.shrink();
    expect(synchronous.get()?.[0]).toBe(full);
  });
});

/** Removes the additions of later releases. */
const toFirstRelease = `
  ALTER TABLE progress DROP COLUMN logged; ALTER TABLE progress DROP COLUMN committed_ms; ALTER TABLE progress DROP COLUMN base;
  ALTER TABLE objects DROP COLUMN digest; DROP TABLE probes; PRAGMA user_version = 1`;

/** The number of logged bytes according to the writer, and according to the tables. */
function loggedBytes(database: DatabaseSync): number | undefined {
  return new Query<[number]>(database, 'SELECT logged FROM progress').get()?.[0];
}

function keptBytes(database: DatabaseSync): number {
  const rows = new Query<[string, string | null]>(database, 'SELECT data, previous FROM changes').all();
  return rows.reduce((sum, [data, previous]) => sum + Buffer.byteLength(data) + Buffer.byteLength(previous ?? ''), 0);
}
