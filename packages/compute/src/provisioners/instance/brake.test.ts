import { describe, expect, it } from 'vitest';

import { Caches } from '@unikorn/core/controller';
import { labels } from '@unikorn/core/resource';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry, virtualWorld } from '@unikorn/core/testing';
import { WatchedObjects } from '@unikorn/core/calls';
import { Server } from '@unikorn/region/kinds';

import { ComputeInstance } from '../../kinds/index.ts';
import { startCompute } from '../../testing/index.ts';
import type { SeenNetwork, SeenServer } from '../../watches.ts';
import { lossBrake } from './brake.ts';
import { bear, messageOf, recorded, until } from './stage.fixture.ts';

async function* nothing(): AsyncIterable<never> {}

describe('several regions', () => {
  it('are decided separately, also at the same moment', async () => {
    const world = virtualWorld();
    const telemetry = silentTelemetry();
    const store = openMemoryStore({ world, kinds: [ComputeInstance] });
    const caches = new Caches({ store, world, telemetry });
    const none = { what: 'nothing', watch: () => nothing(), world, telemetry };
    const watches = { servers: new WatchedObjects<SeenServer>(none), networks: new WatchedObjects<SeenNetwork>(none) };
    const brake = lossBrake({ caches, watches, world });
    const stop = new AbortController();
    const running = caches.run(stop.signal);
    const lost = async (region: string, count: number) => {
      for (let number = 0; number < count; number += 1) {
        const name = `${region}-${number}`;
        const placed = {
          [labels.name]: name,
          [labels.organization]: 'o',
          [labels.project]: 'p',
          [labels.network]: 'n',
          [labels.region]: region,
        };
        const made = await store.create(ComputeInstance, {
          metadata: { name, labels: placed },
          spec: { flavorId: 'f', imageId: 'i' },
        });
        await store.updateStatus(ComputeInstance, { metadata: made.metadata, status: { serverId: name } });
      }
    };
    await lost('dark', 6);
    await lost('small', 2);
    await lost('bright', 1);
    await world.settle();
    expect(['dark', 'small', 'bright', 'dark'].map(brake)).toEqual(['doubted', 'doubted', 'believed', 'doubted']);
    stop.abort();
    await world.settle();
    await running;
    await store.close();
  });
});

describe('a region whose servers have all vanished', () => {
  it('has none of them recreated until few enough are missing to count as lost', async () => {
    const calls: string[] = [];
    const compute = await startCompute({ regionClient: (regionClient) => recorded(regionClient, calls) });
    const { store, world } = compute;
    const ids = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => bear(compute, { name: `web-${number}` })));
    for (const id of ids) await until(compute, id, 'Provisioned');
    calls.length = 0;

    const servers = (await store.list(Server)).items;
    for (const { metadata, spec } of servers)
      await store.update(Server, { metadata: { ...metadata, finalizers: [] }, spec });
    for (const { metadata } of servers) await store.delete(Server, metadata.name);
    await world.advance(600_000);
    expect(calls).toEqual([]);
    for (const id of ids) {
      expect(await messageOf(compute, id)).toContain('none is recreated');
      expect((await store.get(ComputeInstance, id))?.status?.privateIp).toBeDefined();
    }

    for (const {
      metadata: { name, labels = {}, annotations = {} },
      spec,
    } of servers.slice(2))
      await store.create(Server, { metadata: { name, labels, annotations, finalizers: ['unikorn'] }, spec });
    for (const id of ids) await until(compute, id, 'Provisioned');
    expect(calls.map((call) => call.split(' ')[0])).toEqual(['create', 'create']);
    await compute.stop();
  });
});
