import { describe, expect, it } from 'vitest';

import { findCondition, newMetadata } from '@unikorn/core/resource';
import { Project } from '@unikorn/identity/kinds';
import { Network, Server } from '@unikorn/region/kinds';

import { ComputeInstance } from '../kinds/index.ts';
import { instanceControllers } from '../managers/instances.ts';
import { bear, charges, recorded, until } from '../provisioners/instance/stage.fixture.ts';
import { LegacyInstance, standardFlavor, startCompute, ubuntuImage } from '../testing/index.ts';
import { beginLife } from '../testing/lives.ts';
import { networkConsumer } from './network.ts';

const spec = { flavorId: standardFlavor, imageId: ubuntuImage };

describe('network gets a deletion time', () => {
  it('all labelled instances get one, protected or not, because protection was checked before; unlabelled ones and those of other networks do not', async () => {
    const compute = await startCompute({ knobs: { delete_ms: 5_000 } });
    const { store, world, organizationId, projectId, networkId } = compute;
    const other = await compute.openNetwork('other');
    const doomed = [
      await bear(compute, { name: 'one' }),
      await bear(compute, { name: 'two', spec: { deletionProtection: true } }),
    ];
    const spared = await bear(compute, { name: 'three', networkId: other });
    for (const id of [...doomed, spared]) await until(compute, id, 'Provisioned');
    const { metadata: unlabelled } = await store.create(LegacyInstance, {
      metadata: newMetadata(
        'a0000000-0000-4000-8000-000000000000',
        { name: 'bare' },
        { organizationId, projectId },
        { subject: 'test' },
      ),
      spec,
    });

    await store.delete(Network, networkId, { propagation: 'foreground' });
    await world.settle();
    const isGoing = async (id: string) =>
      (await store.get(ComputeInstance, id))?.metadata.deletionTimestamp !== undefined;
    expect(await Promise.all(doomed.map(isGoing))).toEqual([true, true]);
    expect(await isGoing(spared)).toBe(false);
    expect(await isGoing(unlabelled.name)).toBe(false);
    for (const id of doomed) await until(compute, id, 'gone');
    await compute.eventually(
      () => store.get(Network, networkId),
      (network) => network === undefined,
    );
    expect(await Promise.all(doomed.map(async (id) => (await charges(compute, id)).length))).toEqual([0, 0]);
    expect(await store.get(Server, spared)).toBeDefined();
    await compute.stop();
  });

  it('while compute is down: its instances are deleted when compute is back', async () => {
    const compute = await startCompute({ controllers: 'asleep' });
    const everything = (context: Parameters<typeof instanceControllers>[0]) => [
      ...instanceControllers(context),
      networkConsumer(context),
    ];
    const id = await bear(compute);
    const first = beginLife(compute, everything);
    await until(compute, id, 'Provisioned');
    await first.end();
    await compute.store.delete(Network, compute.networkId, { propagation: 'foreground' });
    await compute.world.advance(120_000);
    expect(
      findCondition((await compute.store.get(Network, compute.networkId))?.status?.conditions, 'Available')?.message,
    ).toBe(`still used by instance web (${id})`);
    expect(await compute.store.get(ComputeInstance, id)).toBeDefined();
    const second = beginLife(compute, everything);
    await until(compute, id, 'gone');
    expect(await charges(compute, id)).toEqual([]);
    await compute.eventually(
      () => compute.store.get(Network, compute.networkId),
      (network) => network === undefined,
    );
    await second.end();
    await compute.stop();
  });
});

describe('the network-deletion bridge, end to end', () => {
  it('a deleted project is removed after its networks, instances, servers and charges, and its instances are not recreated in the meantime', async () => {
    const calls: string[] = [];
    const compute = await startCompute({
      knobs: { delete_ms: 5_000 },
      regionClient: (regionClient) => recorded(regionClient, calls),
    });
    const { store, projectId, operator, regionId, world } = compute;
    const ids = [await bear(compute, { name: 'one' }), await bear(compute, { name: 'two' })];
    for (const id of ids) await until(compute, id, 'Provisioned');
    calls.length = 0;
    await operator(regionId).turn({ service: 'down' });
    await store.delete(Project, projectId);
    await world.advance(60_000);
    expect(await store.get(Project, projectId)).toBeDefined();
    expect(await Promise.all(ids.map(async (id) => (await charges(compute, id)).length))).toEqual([1, 1]);
    await operator(regionId).turn({ service: 'up' });
    await compute.eventually(
      () => store.get(Project, projectId),
      (project) => project === undefined,
    );
    for (const kind of [ComputeInstance, Server, Network]) expect((await store.list(kind)).items).toEqual([]);
    expect(calls.filter((call) => call.startsWith('create'))).toEqual([]);
    await compute.stop();
  });
});
