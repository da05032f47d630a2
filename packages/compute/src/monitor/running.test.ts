import { afterAll, expect, it } from 'vitest';

import { findCondition } from '@unikorn/core/resource';
import { Allocation } from '@unikorn/identity/kinds';
import { Server } from '@unikorn/region/kinds';

import { ComputeInstance } from '../kinds/index.ts';
import { standardFlavor, startCompute, ubuntuImage } from '../testing/index.ts';

const period_ms = 60_000;
const compute = await startCompute({ configuration: { monitorPeriod_ms: period_ms } });
afterAll(() => compute.stop());

const { organizationId, projectId, networkId, store, world } = compute;

async function findings(): Promise<Readonly<Record<string, number>>> {
  const { values = [] } =
    (await compute.telemetry.registry.getSingleMetric('unikorn_compute_monitor_findings')?.get()) ?? {};
  return Object.fromEntries(
    values.flatMap(({ labels: { checker = '' }, value }) => (value === 0 ? [] : [[String(checker), value] as const])),
  );
}

async function create(name: string): Promise<string> {
  const spec = { organizationId, projectId, networkId, flavorId: standardFlavor, imageId: ubuntuImage };
  const { status, body } = await compute.call('POST', '/api/v2/instances', { body: { metadata: { name }, spec } });
  expect(status).toBe(201);
  const { id } = (body as { metadata: { id: string } }).metadata;
  await compute.eventually(
    () => store.get(ComputeInstance, id),
    (instance) => findCondition(instance?.status?.conditions, 'Available')?.status === 'True',
  );
  return id;
}

it('a monitor finds nothing in a working service, from the creation of instances to their deletion', async () => {
  const ids = [await create('web-1'), await create('web-2')];
  await world.advance(3 * period_ms);
  expect(await findings()).toEqual({});
  for (const id of ids) await compute.call('DELETE', `/api/v2/instances/${id}`);
  await compute.eventually(
    () => store.list(ComputeInstance),
    ({ items }) => items.length === 0,
  );
  await world.advance(3 * period_ms);
  expect(await findings()).toEqual({});
});

it('a lost charge is found and restored in a running service, and the history of the instance shows it', async () => {
  const id = await create('web-3');
  const charges = async () => (await store.list(Allocation)).items.filter(({ spec }) => spec.id === id);
  await store.delete(Allocation, (await charges())[0]?.metadata.name ?? '');
  await world.advance(3 * period_ms);
  expect(await charges()).toHaveLength(1);
  expect(await findings()).toEqual({});
  const { body } = await compute.call('GET', `/api/v2/instances/${id}/history`);
  expect(body).toContainEqual(
    expect.objectContaining({
      type: 'finding',
      action: 'allocation-drift',
      outcome: 'found',
      message: 'its quota is not charged',
    }),
  );
});

it('a server whose instance was removed from the store is reported as an orphan and not changed', async () => {
  const id = await create('web-4');
  const instance = await store.get(ComputeInstance, id);
  if (!instance) throw new Error('it is not there');
  await store.update(ComputeInstance, { ...instance, metadata: { ...instance.metadata, finalizers: [] } });
  await store.delete(ComputeInstance, id);
  await world.advance(3 * period_ms);
  expect(await store.get(ComputeInstance, id)).toBeUndefined();
  expect(await findings()).toEqual({ 'orphan-server': 1 });
  expect(await store.get(Server, id)).toBeDefined();
});
