import { afterAll, beforeAll, expect, it, vi } from 'vitest';

import { matching, type Store } from '@unikorn/core/store';
import { conformanceKinds, team, Widget, widget } from '@unikorn/core/store/conformance';

import { startCluster, type Cluster } from './cluster.fixture.ts';
import { createNamespace, defineKinds, openStore } from './store.fixture.ts';

let cluster: Cluster;
let first: Store;
let second: Store;
beforeAll(async () => {
  cluster = await startCluster();
  await defineKinds(cluster, conformanceKinds);
  const namespace = await createNamespace(cluster);
  [first, second] = [await openStore(cluster, namespace), await openStore(cluster, namespace)];
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
