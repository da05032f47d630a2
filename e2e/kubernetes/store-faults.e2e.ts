import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';

import { isProblem, type Problem } from '@unikorn/core/errors';
import type { Store } from '@unikorn/core/store';
import { conformanceKinds, expectProblem, Widget, widget } from '@unikorn/core/store/conformance';

import { startCluster, type Cluster } from './cluster.fixture.ts';
import { startFaultProxy, type FaultProxy } from './fault-proxy.fixture.ts';
import { createNamespace, defineKinds, openStore } from './store.fixture.ts';

let folder: string;
let cluster: Cluster;
let proxy: FaultProxy;
let store: Store;
let namespace: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unikorn-faults-'));
  cluster = await startCluster({ folder });
  proxy = await startFaultProxy(cluster);
  await defineKinds(cluster, conformanceKinds);
  namespace = await createNamespace(cluster);
  store = await openStore({ administrator: proxy.administrator }, namespace);
});
afterEach(() => {
  proxy.reset();
});
afterAll(async () => {
  await store.close();
  await proxy.stop();
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The names of the objects that a watch adds, until it has seen the last one. */
async function addedUntil(last: string, from: string): Promise<string[]> {
  const names: string[] = [];
  for await (const event of store.watch(Widget, { from })) {
    if (event.type !== 'added') continue;
    names.push(event.object.metadata.name);
    if (event.object.metadata.name === last) return names;
  }
  throw new Error('the watch ended early');
}

const versionNow = async () => (await store.list(Widget, { limit: 1 })).resourceVersion;

describe('an API server that is too busy', () => {
  it('is asked again after the time that it names, and the write happens once', async () => {
    proxy.next('POST', { status: 429, retryAfter_s: 1 }, { status: 503, retryAfter_s: 1 });
    const created = await store.create(Widget, widget('busy'));
    expect(await store.get(Widget, 'busy')).toEqual(created);
    expect(proxy.count('POST')).toBe(3);
  });
});

describe('a write without an answer', () => {
  it('that took effect is found out by reading, for every kind of write', async () => {
    proxy.next('POST', { cut: 'after' });
    const created = await store.create(Widget, widget('cut', { finalizers: ['x.org/hold'] }));
    proxy.next('PUT', { cut: 'after' });
    const resized = await store.update(Widget, { ...created, spec: { size: 7 } });
    expect(resized).toMatchObject({ spec: { size: 7 }, metadata: { generation: 2 } });
    proxy.next('PUT', { cut: 'after' });
    const reported = await store.updateStatus(Widget, { ...resized, status: { phase: 'ready' } });
    expect(reported.status).toEqual({ phase: 'ready' });
    proxy.next('DELETE', { cut: 'after' });
    const marked = await store.delete(Widget, 'cut');
    expect(marked?.metadata.deletionTimestamp).toBeDefined();
    proxy.next('PUT', { cut: 'after' });
    await store.update(Widget, { ...reported, metadata: { ...(marked ?? reported).metadata, finalizers: [] } });
    expect(await store.get(Widget, 'cut')).toBeUndefined();
  });

  it('that did not take effect is repeated', async () => {
    proxy.next('POST', { cut: 'before' });
    const created = await store.create(Widget, widget('lost'));
    proxy.next('PUT', { status: 500 });
    expect(await store.update(Widget, { ...created, spec: { size: 3 } })).toMatchObject({ spec: { size: 3 } });
    proxy.next('DELETE', { cut: 'before' });
    expect(await store.delete(Widget, 'lost')).toBeUndefined();
  });

  it('of an object that another writer created first is a conflict', async () => {
    await store.create(Widget, widget('other', {}, 5));
    proxy.next('POST', { cut: 'before' });
    await expectProblem(store.create(Widget, widget('other', {}, 6)), 'conflict');
  });

  it('of a version that another writer has changed is a conflict', async () => {
    const read = await store.create(Widget, widget('changed'));
    await store.updateStatus(Widget, { ...read, status: { phase: 'of another writer' } });
    proxy.next('PUT', { cut: 'before' }, { cut: 'before' });
    await expectProblem(store.updateStatus(Widget, { ...read, status: { phase: 'ready' } }), 'conflict');
    proxy.next('PUT', { cut: 'before' });
    await expectProblem(store.update(Widget, { ...read, spec: { size: 9 } }), 'conflict');
    expect(await store.get(Widget, 'changed')).toMatchObject({
      spec: { size: 1 },
      status: { phase: 'of another writer' },
    });
  });
});

describe('a watch', () => {
  it('that is cut again and again sees every change once and in order', async () => {
    const from = await versionNow();
    const seen = addedUntil('c59', from);
    const names = Array.from({ length: 60 }, (_, index) => `c${index}`);
    for (const [index, name] of names.entries()) {
      await store.create(Widget, widget(name));
      if (index % 10 === 5) proxy.cutStreams();
    }
    expect(await seen).toEqual(names);
  });

  it('is the only one of its kind, however many watches a process opens', async () => {
    const from = await versionNow();
    const watches = Array.from({ length: 20 }, () => addedUntil('shared', from));
    await store.create(Widget, widget('shared'));
    await Promise.all(watches);
    const open = Array.from({ length: 20 }, (_, index) => addedUntil(`shared-${index}`, from));
    await vi.waitFor(() => {
      expect(proxy.openStreams).toBe(1);
    });
    for (let index = 0; index < 20; index++) await store.create(Widget, widget(`shared-${index}`));
    await Promise.all(open);
    await vi.waitFor(() => {
      expect(proxy.openStreams).toBe(0);
    });
  });

  it('from an earlier version than the open ones sees everything, and the open ones see nothing twice', async () => {
    const early = await versionNow();
    await store.create(Widget, widget('e1'));
    const late = await versionNow();
    const open = addedUntil('e9', late);
    await store.create(Widget, widget('e2'));
    const earlier = addedUntil('e9', early);
    await store.create(Widget, widget('e3'));
    await store.create(Widget, widget('e9'));
    expect(await open).toEqual(['e2', 'e3', 'e9']);
    expect(await earlier).toEqual(['e1', 'e2', 'e3', 'e9']);
  });
});

it.each([
  ['0', 'expired'],
  ['yesterday', 'invalid_request'],
] as const)('a watch from version %s is refused', async (from, code) => {
  await expectProblem(addedUntil('never', from), code);
});

describe('an API server that is killed and started again', () => {
  it('delays writes, reads and watches, and nothing is lost or seen twice', async () => {
    const from = await versionNow();
    const before = await store.create(Widget, widget('before'));
    const seen = addedUntil('after', from).catch((error: unknown) => error);
    cluster.process.kill('SIGKILL');
    await cluster.ended;
    const reading = store.get(Widget, 'before');
    const writing = store.create(Widget, widget('during'));
    cluster = await startCluster({ folder });
    expect(await reading).toEqual(before);
    const during = await writing;
    await store.create(Widget, widget('after'));
    expect(await store.get(Widget, 'during')).toEqual(during);
    // A new API server only knows the changes since its start, so a watch from before may have to list again.
    const outcome = await seen;
    if (isProblem(outcome)) expect(outcome.code).toBe('expired');
    else expect(outcome).toEqual(['before', 'during', 'after']);
  });

  it('that stays away makes every operation fail with "storage_unavailable" within its deadline', async () => {
    cluster.process.kill('SIGKILL');
    await cluster.ended;
    await Promise.all([
      expectProblem(store.get(Widget, 'before'), 'storage_unavailable'),
      expectProblem(store.create(Widget, widget('never')), 'storage_unavailable'),
      expectProblem(store.list(Widget), 'storage_unavailable'),
      expectProblem(store.probe(), 'storage_unavailable'),
    ]);
    cluster = await startCluster({ folder });
    expect(await store.get(Widget, 'never')).toBeUndefined();
  });
});

describe('an API server whose etcd was restored from a backup', () => {
  const etcd = () => join(folder, 'etcd');
  const kept = () => join(folder, 'etcd-backup');
  const stopped = async () => {
    cluster.process.kill('SIGKILL');
    await cluster.ended;
  };

  it('is found by a watch that connects again and by a list, and the process must start again', async () => {
    await store.create(Widget, widget('kept'));
    await stopped();
    await cp(etcd(), kept(), { recursive: true });
    cluster = await startCluster({ folder });
    const problems: Problem[] = [];
    const open = () =>
      openStore(cluster, namespace, {
        lost: (problem) => {
          problems.push(problem);
        },
      });
    const [watching, listing] = [await open(), await open()];
    const from = (await watching.list(Widget)).resourceVersion;
    const watched = (async () => {
      const names: string[] = [];
      for await (const event of watching.watch(Widget, { from }))
        if (event.type !== 'bookmark') names.push(event.object.metadata.name);
      return names;
    })();
    for (let count = 0; count < 20; count++) await listing.create(Widget, widget(`lost-${count}`));
    await stopped();
    await rm(etcd(), { recursive: true });
    await rename(kept(), etcd());
    cluster = await startCluster({ folder });

    expect(await watched).toHaveLength(20);
    await expectProblem(watching.get(Widget, 'kept'), 'storage_unavailable');
    await expect(listing.list(Widget)).rejects.toThrow('has an older state than before');
    expect(problems).toHaveLength(2);
    await Promise.all([watching.close(), listing.close()]);
    const next = await open();
    expect(await next.get(Widget, 'kept')).toBeDefined();
    expect(await next.get(Widget, 'lost-0')).toBeUndefined();
    await next.close();
  });
});

it('a namespace or a kind that does not exist is reported, and is not an absent object', async () => {
  const elsewhere = await openStore(cluster, namespace);
  const missing = { ...Widget, plural: 'nothings', id: 'nothings.conformance.unikorn-cloud.org' };
  await expectProblem(elsewhere.get(missing, 'a'), 'storage_unusable');
  await expectProblem(elsewhere.list(missing), 'storage_unusable');
  await expectProblem(openStore(cluster, 'no-such-namespace'), 'storage_unusable');
  await elsewhere.close();
});
