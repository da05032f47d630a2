import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { getKnown, matching, type Store } from '@unikorn/core/store';
import { conformanceKinds, Gadget, gadget, team, Widget, widget } from '@unikorn/core/store/conformance';
import type { ClusterCall } from '@unikorn/core/store/kubernetes';
import { systemWorld } from '@unikorn/core/world';

import { startCluster, type Cluster } from './cluster.fixture.ts';
import { createNamespace, defineKinds, openStore } from './store.fixture.ts';

let cluster: Cluster;
let first: Store;
let second: Store;
/** The requests of the second store. */
const calls: ClusterCall[] = [];
beforeAll(async () => {
  cluster = await startCluster();
  await defineKinds(cluster, conformanceKinds);
  const namespace = await createNamespace(cluster);
  [first, second] = [
    await openStore(cluster, namespace),
    await openStore(cluster, namespace, { observe: (call) => calls.push(call) }),
  ];
});
afterAll(async () => {
  await first.close();
  await second.close();
  await cluster.stop();
});

const mine = (value: string) => matching({ [team]: value });

async function listed(store: Store, value: string): Promise<string[]> {
  const { items } = await store.list(Widget, { selector: mine(value), cached: true });
  return items.map(({ metadata }) => metadata.name);
}

it('a process that has read a change of another process lists that change, and all earlier ones', async () => {
  for (const store of [first, second]) await store.list(Widget, { limit: 2, cached: true });
  for (let round = 0; round < 30; round++) {
    await first.create(Widget, widget(`read-${round}`, { labels: { [team]: 'read' } }));
    await second.get(Widget, `read-${round}`);
    expect(await listed(second, 'read')).toHaveLength(round + 1);
  }
});

it('a process lists every change that another process made before its own write of the same kind', async () => {
  for (let round = 0; round < 30; round++) {
    await first.create(Widget, widget(`before-${round}`, { labels: { [team]: 'before' } }));
    await second.create(Widget, widget(`own-${round}`));
    expect(await listed(second, 'before')).toHaveLength(round + 1);
  }
});

it('a process lists the changes of another process soon, without any write or read of its own', async () => {
  await first.create(Widget, widget('soon', { labels: { [team]: 'soon' } }));
  await vi.waitFor(async () => {
    expect(await listed(second, 'soon')).toEqual(['soon']);
  });
  await first.delete(Widget, 'soon');
  await vi.waitFor(async () => {
    expect(await listed(second, 'soon')).toEqual([]);
  });
  expect(await second.countUpTo(Widget, mine('read'), 100, { cached: true })).toBe(30);
});

const reads = () => calls.filter(({ method }) => method === 'GET').length;

it('a read of the copy has every write of its own process at once, without a request', async () => {
  await second.list(Widget, { limit: 2, cached: true });
  await vi.waitFor(async () => {
    const before = reads();
    await second.get(Widget, 'own-0', { cached: true });
    expect(reads()).toBe(before);
  });
  const before = reads();
  for (let round = 0; round < 50; round++) {
    const name = `seen-${round}`;
    const read = () => second.get(Widget, name, { cached: true });
    const created = await second.create(Widget, { ...widget(name), metadata: { name, finalizers: ['example.com/a'] } });
    expect(await read()).toEqual(created);
    const updated = await second.update(Widget, { ...created, spec: { size: 7 } });
    expect(await read()).toEqual(updated);
    const reported = await second.updateStatus(Widget, { metadata: updated.metadata, status: { phase: 'ready' } });
    expect(await read()).toEqual(reported);
    const marked = await second.delete(Widget, name);
    expect(await read()).toEqual(marked);
    if (marked) await second.update(Widget, { ...marked, metadata: { ...marked.metadata, finalizers: [] } });
    expect(await read()).toBeUndefined();
    const again = await second.create(Widget, widget(name));
    expect((await read())?.metadata.uid).toBe(again.metadata.uid);
    await second.delete(Widget, name);
    expect(await read()).toBeUndefined();
  }
  expect(reads()).toBe(before);
  // Their events do not bring them back.
  const last = await second.create(Widget, widget('last'));
  await vi.waitFor(async () => {
    const { items } = await second.list(Widget, { cached: true });
    expect(items.map(({ metadata }) => metadata.name)).toContain(last.metadata.name);
  });
  for (let round = 0; round < 50; round++)
    expect(await second.get(Widget, `seen-${round}`, { cached: true })).toBeUndefined();
});

it('an object that another process has just created is known, and its changes arrive soon', async () => {
  for (let round = 0; round < 20; round++) {
    const created = await first.create(Widget, widget(`known-${round}`));
    expect(await getKnown(second, Widget, `known-${round}`)).toEqual(created);
    const { metadata } = await first.update(Widget, { ...created, spec: { size: 8 } });
    await vi.waitFor(async () => {
      const read = await second.get(Widget, `known-${round}`, { cached: true });
      expect(read?.metadata.resourceVersion).toBe(metadata.resourceVersion);
    });
  }
});

it('a read that may be old is repeated after that time, and has the writes of its own process', async () => {
  const maxAge_ms = 60_000;
  const created = await first.create(Widget, widget('aged'));
  const before = reads();
  for (let times = 0; times < 5; times++) expect(await second.get(Widget, 'aged', { maxAge_ms })).toEqual(created);
  expect(reads()).toBe(before + 1);
  const updated = await second.update(Widget, { ...created, spec: { size: 9 } });
  expect(await second.get(Widget, 'aged', { maxAge_ms })).toEqual(updated);
  await systemWorld.sleep(20);
  const later = await first.update(Widget, { ...updated, spec: { size: 10 } });
  expect(await second.get(Widget, 'aged', { maxAge_ms: 1 })).toEqual(later);
  await second.delete(Widget, 'aged');
  expect(await second.get(Widget, 'aged', { maxAge_ms })).toBeUndefined();
});

it('a burst of reads that may be old makes one request, whatever this process removes meanwhile', async () => {
  const maxAge_ms = 60_000;
  const created = await first.create(Widget, widget('burst'));
  const before = reads();
  const read = () => second.get(Widget, 'burst', { maxAge_ms });
  expect(await Promise.all([read(), read(), read()])).toEqual([created, created, created]);
  expect(reads()).toBe(before + 1);
  // Objects of another kind are removed all the time, as sagas are.
  await second.create(Gadget, gadget('removed'));
  const removal = second.delete(Gadget, 'removed');
  let last: Promise<unknown>;
  do last = second.get(Widget, 'burst');
  while (await Promise.race([last, removal]));
  await last;
  const afterwards = reads();
  expect(await read()).toEqual(created);
  expect(reads()).toBe(afterwards);
});

it('a read that may be old never shares a request from before a write of its own process', async () => {
  const maxAge_ms = 60_000;
  for (let round = 0; round < 20; round++) {
    const name = `own-write-${round}`;
    const early = second.get(Widget, name, { maxAge_ms });
    const created = await second.create(Widget, widget(name));
    expect(await second.get(Widget, name, { maxAge_ms })).toEqual(created);
    await early;
    const pending = second.get(Widget, name, { maxAge_ms: 0 });
    await second.delete(Widget, name);
    expect(await second.get(Widget, name, { maxAge_ms })).toBeUndefined();
    await pending;
  }
});
