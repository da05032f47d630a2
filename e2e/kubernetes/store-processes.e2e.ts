import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { limits } from '@unikorn/core/limits';
import type { Store } from '@unikorn/core/store';
import { conformanceKinds, Widget, widget } from '@unikorn/core/store/conformance';
import { systemWorld as world } from '@unikorn/core/world';

import { startCluster, type Cluster } from './cluster.fixture.ts';
import { createNamespace, defineKinds, openStore } from './store.fixture.ts';

let folder: string;
let cluster: Cluster;
let store: Store;
let namespace: string;
const processes = new Set<ChildProcess>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unikorn-processes-'));
  cluster = await startCluster();
  await writeFile(join(folder, 'kubeconfig'), cluster.administrator, { mode: 0o600 });
  await defineKinds(cluster, conformanceKinds);
  namespace = await createNamespace(cluster);
  store = await openStore(cluster, namespace);
});
afterAll(async () => {
  for (const child of processes) child.kill('SIGKILL');
  await store.close();
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

function start(task: 'write' | 'lead', name: string) {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'store-process.fixture.ts'), task, join(folder, 'kubeconfig'), namespace, name],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  processes.add(child);
  const leading = new Promise<number>((resolve) => {
    child.stdout.once('data', () => {
      resolve(world.monotonic_ms());
    });
  });
  const ended = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      processes.delete(child);
      resolve(code);
    });
  });
  return { child, leading, ended };
}

it('several processes change one object without losing a change, and each watch sees every object once', async () => {
  await store.create(Widget, widget('counter', {}, 0));
  const { resourceVersion: from } = await store.list(Widget, { limit: 1 });
  const names = ['a', 'b', 'c'];
  const expected = names.flatMap((name) => Array.from({ length: 25 }, (_, count) => `${name}-${count}`));
  const seen = (async () => {
    const added: string[] = [];
    for await (const event of store.watch(Widget, { from })) {
      if (event.type === 'added') added.push(event.object.metadata.name);
      if (added.length === expected.length) return added;
    }
    throw new Error('the watch ended early');
  })();
  expect(await Promise.all(names.map((name) => start('write', name).ended))).toEqual([0, 0, 0]);
  expect((await store.get(Widget, 'counter'))?.spec.size).toBe(75);
  expect((await seen).toSorted()).toEqual(expected.toSorted());
});

it('a lease is taken over after its holder was killed, and without waiting for its end after it was stopped', async () => {
  const first = start('lead', 'first');
  await first.leading;
  const second = start('lead', 'second');
  const third = start('lead', 'third');
  // Both others have opened the store and wait.
  await world.sleep(3_000);
  first.child.kill('SIGKILL');
  const successor = await Promise.race([
    second.leading.then(() => ({ leader: second, other: third })),
    third.leading.then(() => ({ leader: third, other: second })),
  ]);
  const stopped_ms = world.monotonic_ms();
  successor.leader.child.kill('SIGTERM');
  // A lease that is not released ends this long after its last renewal, at the earliest.
  expect((await successor.other.leading) - stopped_ms).toBeLessThan((limits.lease_ms * 2) / 3);
  expect(await successor.leader.ended).toBe(0);
  successor.other.child.kill('SIGTERM');
  expect(await successor.other.ended).toBe(0);
});
