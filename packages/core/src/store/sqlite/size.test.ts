import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

import { describe, expect, it } from 'vitest';

import { expectProblem } from '../conformance/harness.ts';
import { Widget } from '../conformance/kinds.ts';
import { modify } from '../modify.ts';
import { Query } from './query.ts';
import { openScratchStore, scratchPaths } from './scratch.fixture.ts';

const scratchPath = scratchPaths();
const mebibyte = 1024 * 1024;

/** A quarter of a mebibyte with new content each time. */
const parts = (round: number): string[] =>
  Array.from({ length: 2_500 }, (_, index) => `${round}-${index}-`.padEnd(100, 'x'));

function bytesOnDisk(path: string): number {
  return ['', '-wal'].reduce(
    (sum, suffix) => sum + (existsSync(`${path}${suffix}`) ? statSync(`${path}${suffix}`).size : 0),
    0,
  );
}

describe('one large object that is changed many times', () => {
  it('needs no more disk than the kept history, and slow watchers list again', async () => {
    const path = scratchPath();
    const store = await openScratchStore(path, { history: { bytes: 4 * mebibyte } });
    await store.create(Widget, { metadata: { name: 'a' }, spec: { size: 0, parts: parts(0) } });
    const slow = store.watch(Widget, { from: '1' })[Symbol.asyncIterator]();
    let most = 0;
    for (let round = 1; round <= 200; round++) {
      await modify(store, Widget, 'a', (current) => ({ ...current, spec: { size: round, parts: parts(round) } }));
      most = Math.max(most, bytesOnDisk(path));
    }
    // The log that is emptied at 32 MiB, the history, and the object itself.
    expect(most).toBeLessThan(45 * mebibyte);
    await expectProblem(slow.next(), 'expired');
    const { resourceVersion: from } = await store.list(Widget);
    const current = store.watch(Widget, { from })[Symbol.asyncIterator]();
    const next = current.next();
    await modify(store, Widget, 'a', (object) => ({ ...object, spec: { size: 0, parts: [] } }));
    expect((await next).value).toMatchObject({ type: 'modified', object: { spec: { size: 0 } } });
    await store.close();
    expect(statSync(path).size).toBeLessThan(10 * mebibyte);
  });
});

describe('a file of an earlier release', () => {
  it('is converted so that unused pages are returned', async () => {
    const path = scratchPath();
    await (await openScratchStore(path)).close();
    const earlier = new DatabaseSync(path);
    earlier.exec(
      'PRAGMA auto_vacuum = NONE; VACUUM; CREATE TABLE filler (x); INSERT INTO filler VALUES (zeroblob(4000000)); DROP TABLE filler',
    );
    expect(new Query<[number]>(earlier, 'PRAGMA auto_vacuum').get()?.[0]).toBe(0);
    earlier.close();
    const large = statSync(path).size;
    await (await openScratchStore(path)).close();
    expect(statSync(path).size).toBeLessThan(large - 3_000_000);
    const later = new DatabaseSync(path, { readOnly: true });
    expect(new Query<[number]>(later, 'PRAGMA auto_vacuum').get()?.[0]).toBe(2);
    later.close();
  });
});
