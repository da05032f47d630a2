import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { virtualWorld } from '../../testing/index.ts';
import { Widget, widget } from '../conformance/kinds.ts';
import { Query } from './query.ts';
import { openScratchStore, scratchPaths } from './scratch.fixture.ts';

const scratchPath = scratchPaths();
const rounds = 20;

/**
 * Lets the writer work until it has acknowledged this many writes, then kills it; what it had acknowledged by the end.
 */
async function killedWriter(path: string, round: number, acknowledgements: number): Promise<Map<string, string>> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('./killed-writer.fixture.ts', import.meta.url)), path, String(round)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_COMPILE_CACHE: `${dirname(path)}/compiled` },
    },
  );
  const exited = new Promise<NodeJS.Signals | null>((resolve) => {
    child.once('exit', (_, signal) => {
      resolve(signal);
    });
  });
  const acknowledged = new Map<string, string>();
  let lines = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (lines++ === acknowledgements) child.kill('SIGKILL');
    const [name, state] = line.split(' ');
    if (name !== undefined && state !== undefined) acknowledged.set(name, state);
  }
  expect(await exited).toBe('SIGKILL');
  return acknowledged;
}

/**
 * Every object matches its last change, no change is missing in between, and the index has each object once per
 * label.
 */
function assertConsistent(path: string): void {
  const database = new DatabaseSync(path, { readOnly: true });
  const count = (sql: string) => new Query<[number]>(database, sql).get()?.[0];
  expect(new Query<[string]>(database, 'PRAGMA integrity_check').get()?.[0]).toBe('ok');
  expect(count('SELECT max(version) - min(version) + 1 - count(*) FROM changes')).toBe(0);
  expect(count('SELECT count(*) FROM objects o JOIN changes c USING (version) WHERE c.data <> o.data')).toBe(0);
  expect(
    count(
      'SELECT count(*) FROM objects WHERE version > (SELECT min(version) FROM changes) AND version NOT IN (SELECT version FROM changes)',
    ),
  ).toBe(0);
  expect(
    count(`SELECT count(*) FROM objects o JOIN kinds k ON k.number = o.kind AND k.id LIKE 'widgets.%'
           WHERE (SELECT group_concat(l.value) FROM labels l WHERE l.kind = o.kind AND l.name = o.name)
             IS NOT json_extract(o.data, '$.metadata.labels."conformance.unikorn-cloud.org/team"')`),
  ).toBe(0);
  expect(
    count(
      'SELECT count(*) FROM labels l WHERE NOT EXISTS (SELECT 1 FROM objects o WHERE o.kind = l.kind AND o.name = l.name)',
    ),
  ).toBe(0);
  database.close();
}

describe('an acknowledged write', () => {
  it(`survives kill -9, ${rounds} times on one file`, async () => {
    const path = scratchPath();
    const world = virtualWorld(7);
    const all = new Map<string, string>();
    for (let round = 0; round < rounds; round++) {
      for (const [name, state] of await killedWriter(path, round, Math.floor(world.random() * 600)))
        all.set(name, state);
      const store = await openScratchStore(path);
      const stored = new Map((await store.list(Widget)).items.map(({ metadata, spec }) => [metadata.name, spec.size]));
      for (const [name, state] of all) {
        const size = stored.get(name);
        // The last write may have taken effect without being acknowledged, so an object may be one step ahead.
        if (state === 'gone') expect([name, size]).toEqual([name, undefined]);
        else if (size !== undefined)
          expect([name, size]).toEqual([name, expect.toBeOneOf([Number(state), Number(state) + 1])]);
        else expect(Number(name.split('-').at(-1)) % 2, `${name} was acknowledged and never deleted`).toBe(0);
      }
      await store.create(Widget, widget(`after-${round}`));
      await store.close();
      assertConsistent(path);
    }
    expect(all.size).toBeGreaterThan(rounds);
  });
});
