import { expect, it, onTestFinished } from 'vitest';

import { WatchedObjects, type Change } from '@unikorn/core/calls';
import { Caches, whenAborted } from '@unikorn/core/controller';
import { readHistory } from '@unikorn/core/history';
import { annotations, labels } from '@unikorn/core/resource';
import { modifyStatus } from '@unikorn/core/store';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry, virtualWorld } from '@unikorn/core/testing';

import { ComputeInstance, GoneInstance, InstanceHistory, instanceHistoryStorage } from '../kinds/index.ts';
import { linkTag } from '../link/index.ts';
import type { SeenServer } from '../watches.ts';
import { historyRecovery } from './recovery.ts';
import { instanceHistory } from './subject.ts';

const network = 'a0000000-0000-4000-8000-000000000001';
const ids = ['f0000000-0000-4000-8000-000000000001', 'f0000000-0000-4000-8000-000000000002'] as const;

function stage() {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: [ComputeInstance, InstanceHistory, GoneInstance] });
  /** The server that region returns. */
  const servers: SeenServer[] = [];
  onTestFinished(() => store.close());
  const create = (id: string) => {
    const place = {
      [labels.name]: id,
      [labels.organization]: 'o',
      [labels.project]: 'p',
      [labels.region]: 'r',
      [labels.network]: network,
    };
    return store.create(ComputeInstance, {
      metadata: { name: id, labels: place, annotations: { [annotations.principalCreator]: 'jane@acme.com' } },
      spec: { flavorId: 'f', imageId: 'i' },
    });
  };
  const settle = async (id: string, reason: string, status: 'True' | 'False') => {
    const lastTransitionTime = new Date(world.now()).toISOString().replace(/\.\d+/, '');
    const powerState = status === 'True' ? ('Running' as const) : ('Building' as const);
    await modifyStatus(store, ComputeInstance, id, ({ metadata }) => ({
      metadata,
      status: {
        powerState,
        observedAt: lastTransitionTime,
        observedGeneration: metadata.generation,
        conditions: [{ type: 'Available', status, reason, message: 'so it is', lastTransitionTime }],
      },
    }));
  };
  const begin = (predecessor?: { readonly processName: string; readonly lastSeen: string }) => {
    const context = { store, world, telemetry: silentTelemetry() };
    const caches = new Caches(context);
    const history = instanceHistory({ ...context, objects: caches.of(ComputeInstance) });
    const stop = new AbortController();
    onTestFinished(() => {
      stop.abort();
    });
    const watches = {
      servers: new WatchedObjects({ ...context, what: 'servers', watch: ({ signal }) => shown(servers, signal) }),
    };
    const recovery = historyRecovery({ ...context, caches, watches, history });
    void caches.run(stop.signal);
    return { history, recovered: recovery.run(stop.signal, predecessor).then(() => history.flush()) };
  };
  const told = async (id: string) =>
    (await readHistory(store, instanceHistoryStorage, id, {})).entries.map(
      ({ type, action, outcome }) => `${type} ${action} ${outcome}`,
    );
  return { world, store, servers, create, settle, begin, told };
}

async function* shown(servers: readonly SeenServer[], signal: AbortSignal): AsyncGenerator<Change<SeenServer>> {
  for (const object of servers) yield { type: 'added', id: object.metadata.id, object };
  yield { type: 'synced' };
  await whenAborted(signal);
}

const killed = { processName: 'host-1', lastSeen: '2026-01-01T01:00:00.000000Z' };

it('the next process records what a killed process had not recorded, and the interruption', async () => {
  const { world, store, servers, create, settle, begin, told } = stage();
  const [id] = ids;
  await create(id);
  await world.advance(2_000);
  servers.push({
    metadata: {
      id,
      name: id,
      organizationId: 'o',
      projectId: 'p',
      creationTime: '2026-01-01T00:00:02Z',
      provisioningStatus: 'provisioning',
      healthStatus: 'unknown',
      tags: [{ name: linkTag, value: id }],
    },
    status: { regionId: 'r', networkId: network },
  });
  await settle(id, 'Provisioning', 'False');
  await world.advance(3_000);
  await begin({ processName: 'host-1', lastSeen: '2026-01-01T00:00:03.000000Z' }).recovered;
  expect(await told(id)).toEqual([
    'intent create accepted',
    'saga charge done',
    'saga put done',
    'call createServer done',
    'transition provisioning Provisioning',
    'transition power Building',
    'transition platform interrupted',
  ]);
  const { entries } = await readHistory(store, instanceHistoryStorage, id, {});
  expect(entries.at(-1)).toMatchObject({
    time: '2026-01-01T00:00:05.000000Z',
    message: expect.stringContaining('2026-01-01T00:00:03Z') as unknown,
  });
  expect(entries.find(({ action }) => action === 'createServer')?.time).toBe('2026-01-01T00:00:02.000000Z');
});

it('recorded events are not repeated, and instances without running work get no entry', async () => {
  const { world, create, settle, begin, told } = stage();
  const [busy, idle] = ids;
  await create(busy);
  await create(idle);
  const before = begin();
  for (const id of ids) {
    await settle(id, 'Provisioned', 'True');
    before.history.record(id, { type: 'saga', action: 'put', outcome: 'done' });
    before.history.record(id, { type: 'transition', action: 'provisioning', outcome: 'Provisioned' });
    before.history.record(id, { type: 'transition', action: 'power', outcome: 'Running' });
  }
  await before.history.flush();
  await world.advance(3600_000);
  await settle(busy, 'Errored', 'False');
  await begin(killed).recovered;
  expect(await told(idle)).not.toContain('transition platform interrupted');
  expect((await told(busy)).slice(-3)).toEqual([
    'transition provisioning Errored',
    'transition power Building',
    'transition platform interrupted',
  ]);
  expect((await told(busy)).filter((entry) => entry === 'saga put done')).toHaveLength(1);
});

it('after a regular stop there is nothing to record', async () => {
  const { create, begin, told } = stage();
  const [id] = ids;
  await create(id);
  await begin().recovered;
  expect(await told(id)).toEqual([]);
});
