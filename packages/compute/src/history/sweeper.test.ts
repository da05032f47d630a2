import { describe, expect, it } from 'vitest';

import { Problem } from '@unikorn/core/errors';
import { historySweeper, type HistoryEntry } from '@unikorn/core/history';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { interpose, silentTelemetry, virtualWorld } from '@unikorn/core/testing';
import { Network } from '@unikorn/region/kinds';

import { seen, startInstances } from '../handlers/instances/instances.fixture.ts';
import { GoneInstance, historyLabels, InstanceHistory, instanceHistoryStorage } from '../kinds/index.ts';

const day_ms = 24 * 3600_000;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

describe('old history', () => {
  it('is removed after its retention time, and not before', async () => {
    const world = virtualWorld();
    const store = openMemoryStore({ world, kinds: [InstanceHistory, GoneInstance] });
    const days = [0, 1, 2, 250].map((back) => dayOf(world.now() - back * day_ms));
    for (const day of days)
      await store.create(InstanceHistory, {
        metadata: { name: `i.${day}`, labels: { [historyLabels.subject]: 'i', [historyLabels.day]: day } },
        spec: { entries: [] },
      });
    const kept = async () =>
      (await store.list(InstanceHistory)).items.map(({ metadata }) => metadata.labels?.[historyLabels.day]);
    const stop = new AbortController();
    const running = historySweeper({
      name: 'sweeper',
      store,
      world,
      telemetry: silentTelemetry(),
      storage: instanceHistoryStorage,
      retention_ms: 3 * day_ms,
    }).run(stop.signal);
    await world.settle();
    expect(await kept()).toEqual(days.slice(0, 3).toReversed());
    await world.advance(2 * day_ms);
    expect(await kept()).toEqual(days.slice(0, 2).toReversed());
    await world.advance(2 * day_ms);
    expect(await kept()).toEqual([]);
    stop.abort();
    await running;
    await store.close();
  });

  it('is searched once a day, and again an hour after a failure', async () => {
    const world = virtualWorld();
    let lists = 0;
    let isBroken = true;
    const store = interpose(openMemoryStore({ world, kinds: [InstanceHistory, GoneInstance] }), (call, happen) => {
      if (call.verb === 'list') lists++;
      return isBroken ? Promise.reject(new Problem('storage_unavailable', 'away')) : happen();
    });
    const stop = new AbortController();
    const storage = instanceHistoryStorage;
    const sweeper = historySweeper({
      name: 'sweeper',
      store,
      world,
      telemetry: silentTelemetry(),
      storage,
      retention_ms: day_ms,
    });
    const running = sweeper.run(stop.signal);
    await world.settle();
    expect(lists).toBe(1);
    isBroken = false;
    await world.advance(3 * day_ms);
    // Both kinds on each of four days.
    expect(lists).toBe(1 + 2 * 4);
    stop.abort();
    await running;
    await store.close();
  });

  it('that was removed does not hide the creation and deletion of an instance that is deleted with its network', async () => {
    // The pages of today count as old, and the day is searched again after half an hour: the test need not wait a day.
    const compute = await startInstances({ configuration: { historyRetention_ms: 1800_000 - 2 * day_ms } });
    const networkId = await compute.openNetwork('doomed');
    const { id } = seen(await compute.create('idle', { networkId })).metadata;
    await compute.until(id, 'provisioned');
    await compute.world.advance(3600_000);
    const pages = async () => (await compute.store.list(InstanceHistory)).items;
    expect(await pages()).toEqual([]);
    await compute.store.delete(Network, networkId, { propagation: 'foreground' });
    await compute.gone(id);
    // If the process is killed now, the creation and deletion of the instance are still recorded.
    const kept = [...(await pages()), ...(await compute.store.list(GoneInstance)).items].flatMap(
      ({ spec }) => spec.entries,
    );
    expect(kept.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual(
      expect.arrayContaining(['create accepted', 'deletion gone']),
    );
    const { status, body } = await compute.ask('GET', `/${id}/history`);
    expect(status).toBe(200);
    const told = (body as readonly HistoryEntry[]).map(({ action, outcome }) => `${action} ${outcome}`);
    expect(told[0]).toBe('create accepted');
    expect(told).toEqual(expect.arrayContaining(['deletion begun', 'deletion gone']));
    await compute.stop();
  });
});
