import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { Problem } from '@unikorn/core/errors';
import { labels, referenceOf } from '@unikorn/core/resource';
import { addReference, referencesTo, removeReference } from '@unikorn/core/references';
import { modify } from '@unikorn/core/store';
import type { Around, StoreCall } from '@unikorn/core/testing';
import { Project } from '@unikorn/identity/kinds';

import { described, startStorage, type Wire } from '../handlers/filestorage/filestorage.fixture.ts';
import { FileStorage, Network } from '../kinds/index.ts';
import { simulatedProvider } from '../providers/simulated/index.ts';
import { leftBehind } from '../testing/index.ts';

/** The interposed calls between the services and their store during a test. */
let interfere: Around | undefined;

async function start() {
  const running = await startStorage({ around: (call, happen) => (interfere ? interfere(call, happen) : happen()) });
  const { call, eventually, store } = running;
  const holders = async (networkId: string) =>
    (await referencesTo(store, Network, networkId, 10)).map(({ spec }) => spec.reference);
  const removeNetwork = async (id: string) => {
    expect((await call('DELETE', `/api/v2/networks/${id}`)).status).toBe(202);
    await eventually(
      () => store.get(Network, id),
      (left) => left === undefined,
    );
  };
  const inCloud = () => simulatedProvider(running).fileStorages.list(running);
  return { ...running, holders, removeNetwork, inCloud };
}

let running: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
  running = await start();
});
afterAll(() => running.stop());

/** Nothing is left behind, here or in the cloud. */
afterEach(async () => {
  interfere = undefined;
  await running.eventually(
    () => leftBehind(running.store),
    (left) => left.length === 0,
  );
});

describe('file storage and its networks', () => {
  it('have references while it is attached, and none after the cloud has detached it', async () => {
    const { call, created, eventually, holders, network, removeNetwork, removed, settled, update } = running;
    const networkId = await network();
    const { id } = (await created({ attachments: { networkIds: [networkId] } })).metadata;
    await settled(id);
    expect(await holders(networkId)).toEqual([referenceOf(FileStorage, id)]);
    expect(await call('DELETE', `/api/v2/networks/${networkId}`)).toMatchObject(
      described(403, `(${id}): delete it first`),
    );
    await update(id, { attachments: { networkIds: [] } });
    await eventually(
      () => holders(networkId),
      (left) => left.length === 0,
    );
    await removeNetwork(networkId);
    await removed(id);
  });

  it('keep their references while the cloud cannot detach it', async () => {
    const {
      created,
      holders,
      network,
      operator,
      regionId,
      removed,
      removeNetwork,
      settled,
      update,
      world,
      eventually,
    } = running;
    const networkId = await network();
    const { id } = (await created({ attachments: { networkIds: [networkId] } })).metadata;
    await settled(id);
    await operator(regionId).turn({ service: 'down' });
    await update(id, { attachments: { networkIds: [] } });
    await world.advance(60_000);
    expect(await holders(networkId)).toHaveLength(1);
    await operator(regionId).turn({ service: 'up' });
    await eventually(
      () => holders(networkId),
      (left) => left.length === 0,
    );
    await removed(id);
    await removeNetwork(networkId);
  });

  it('have no references left if the process died between the reference and the status', async () => {
    const { created, holders, network, removed, removeNetwork, settled, store, world, update, eventually } = running;
    const [one, other] = [await network(), await network({ prefix: '10.1.0.0/24' })];
    const { id } = (await created()).metadata;
    await settled(id);
    await addReference({ store, world }, Network, { name: one }, { reference: referenceOf(FileStorage, id) });
    await update(id, {}, { description: 'changed' });
    await eventually(
      () => holders(one),
      (left) => left.length === 0,
    );
    await addReference({ store, world }, Network, { name: other }, { reference: referenceOf(FileStorage, id) });
    await removed(id);
    expect(await holders(other)).toEqual([]);
    for (const networkId of [one, other]) await removeNetwork(networkId);
  });

  it('are not attached if the network was deleted before: the others work, and the status names the missing one', async () => {
    const {
      eventually,
      network,
      organizationId,
      projectId,
      read,
      regionId,
      removed,
      removeNetwork,
      storageClassId,
      store,
      world,
    } = running;
    const [good, going] = [await network(), await network({ prefix: '10.1.0.0/24' })];
    await addReference({ store, world }, Network, { name: going }, { reference: 'others.example.com/x' });
    await store.delete(Network, going);
    const id = world.uuid();
    const place = { segmentationID: 100, ipRange: { startIP: '10.0.0.16', endIP: '10.0.0.16' } };
    const attachments = [good, going, 'gone'].map((networkID) => ({ networkID, ...place }));
    const spec = {
      storageClassID: storageClassId,
      size: 2 ** 30,
      attachments,
      defaultSnapshotProtectionEnabled: false,
      snapshotPolicies: [],
      nfs: { rootSquash: true },
    };
    await store.create(FileStorage, {
      metadata: {
        name: id,
        labels: {
          [labels.name]: 'f',
          [labels.organization]: organizationId,
          [labels.project]: projectId,
          [labels.region]: regionId,
        },
      },
      spec,
    });
    const { metadata, status } = await eventually(
      () => read(id),
      (seen) => seen.metadata.provisioningStatus === 'provisioned',
    );
    expect(metadata).toMatchObject({
      healthStatus: 'degraded',
      healthStatusDetail: {
        message: `it cannot be attached to network ${going}, because the network is being deleted: detach it`,
      },
    });
    expect(status.attachments?.map(({ provisioningStatus }) => provisioningStatus)).toEqual([
      'provisioned',
      'error',
      'error',
    ]);
    expect(status.attachments?.[0]).toMatchObject({ mountOptions: { remoteports: '10.0.0.16' } });
    await removed(id);
    await removeReference(store, Network, going, 'others.example.com/x');
    await removeNetwork(good);
  });
});

describe('file storage', () => {
  it('updates its usage and its snapshots by itself', async () => {
    const { created, eventually, read, removed, settled, world } = running;
    const { id } = (
      await created({ snapshotPolicies: [{ name: 'often', schedule: { interval: 'hourly' }, retention: { keep: 1 } }] })
    ).metadata;
    const usedBytes = ({ status }: Wire) => (status['usage'] as { usedBytes: number }).usedBytes;
    const before = usedBytes(await settled(id));
    await world.advance(3600_000);
    const later = await eventually(
      () => read(id),
      (seen) => usedBytes(seen) > before,
    );
    expect(later.status.snapshotPolicies).toEqual([
      {
        name: 'often',
        provisioningStatus: 'provisioned',
        message: expect.stringMatching(/^1 snapshot is kept, the last was taken at .*:00:00Z$/) as string,
      },
    ]);
    await world.advance(120_000);
    expect(usedBytes(await read(id))).toBeGreaterThan(usedBytes(later));
    await removed(id);
  });

  it('waits if a region has no capacity, says so, and continues when there is', async () => {
    const { created, eventually, operator, read, regionId, removed, settled } = running;
    await operator(regionId).turn({ fileStorage_gib: 5 });
    const { id } = (await created()).metadata;
    const { metadata } = await eventually(
      () => read(id),
      (seen) => seen.metadata.provisioningStatus === 'error',
    );
    expect(metadata).toMatchObject({
      provisioningStatusDetail: { message: 'the cloud has no capacity for file storage of 10 GiB' },
    });
    await operator(regionId).turn({ fileStorage_gib: 10 });
    await settled(id);
    await operator(regionId).turn({ fileStorage_gib: 1_000 });
    await removed(id);
  });

  it('is charged until the cloud has deleted it, and keeps its project until then', async () => {
    const { call, created, eventually, inCloud, operator, projectId, regionId, settled, store, world } = running;
    const { id } = (await created()).metadata;
    await settled(id);
    await operator(regionId).turn({ service: 'down' });
    expect((await call('DELETE', `/api/v2/filestorage/${id}`)).status).toBe(202);
    await world.advance(60_000);
    expect((await referencesTo(store, Project, projectId, 10)).map(({ spec }) => spec.reference)).toContain(
      referenceOf(FileStorage, id),
    );
    expect((await leftBehind(store)).filter((left) => left.startsWith('Allocation'))).toHaveLength(1);
    await operator(regionId).turn({ service: 'up' });
    await eventually(
      () => store.get(FileStorage, id),
      (left) => left === undefined,
    );
    expect(await inCloud()).toEqual([]);
  });

  it('is deleted with its project, which stays until then', async () => {
    const { created, eventually, found, network, organizationId, regionId, settled, store } = running;
    const projectId = await found.project(organizationId);
    const networkId = await network({}, { organizationId, projectId, regionId });
    const { id } = (await created({ projectId, attachments: { networkIds: [networkId] } })).metadata;
    await settled(id);
    await store.delete(Project, projectId);
    await eventually(
      () => store.get(Project, projectId),
      (left) => left === undefined,
    );
  });

  it('that changes during a request is not overwritten, and its charge is correct', async () => {
    const { created, create, removed, settled, store, update } = running;
    const { id } = (await created()).metadata;
    await settled(id);
    interfere = async ({ verb, kind }, happen) => {
      if (verb === 'update' && kind === FileStorage) {
        interfere = undefined;
        await modify(store, FileStorage, id, ({ metadata, spec }) => ({
          metadata,
          spec: { ...spec, nfs: { rootSquash: false } },
        }));
      }
      return happen();
    };
    expect((await update(id, { sizeGiB: 1000 })).status).toBe(409);
    expect((await store.get(FileStorage, id))?.spec).toMatchObject({ size: 10 * 2 ** 30, nfs: { rootSquash: false } });
    expect((await create({ sizeGiB: 1015 })).status).toBe(403);
    const rest = await created({ sizeGiB: 1014 });
    await removed(rest.metadata.id);
    await removed(id);
  });
});

describe('after any failure', () => {
  it('in the cloud, a repeated request completes it and leaves nothing behind', async () => {
    const { created, network, operator, regionId, removed, removeNetwork, settled, update, inCloud } = running;
    const [one, other] = [await network(), await network({ prefix: '10.1.0.0/24' })];
    await operator(regionId).turn({ errorRate: 0.3, lostResponseRate: 0.3, notFoundRate: 0.3, fileStorage_ms: 2_000 });
    const { id } = (await created({ attachments: { networkIds: [one] } })).metadata;
    await settled(id);
    await update(id, { sizeGiB: 20, attachments: { networkIds: [other] } });
    const { status } = await settled(id);
    expect(status.attachments).toMatchObject([{ networkId: other, provisioningStatus: 'provisioned' }]);
    await operator(regionId).turn({ notFoundRate: 0, errorRate: 0, lostResponseRate: 0 });
    expect(await inCloud()).toMatchObject([
      { id, presence: { observed: { size_gib: 20, attachedNetworkIds: [other] } } },
    ]);
    await operator(regionId).turn({ errorRate: 0.3, lostResponseRate: 0.3 });
    await removed(id);
    await operator(regionId).turn({ errorRate: 0, lostResponseRate: 0 });
    await removeNetwork(one);
    await removeNetwork(other);
  });

  it('of a write, before or after its effect, it is created, changed and removed', async () => {
    /** How many more writes succeed, and how the next one fails. */
    let fuse: { left: number; readonly when: 'before' | 'after' } | undefined;
    const isOurs = ({ verb, kind }: StoreCall) =>
      verb !== 'get' && verb !== 'list' && (kind === FileStorage || kind === Network || kind === Project);
    interfere = async (call, happen) => {
      if (!fuse || !isOurs(call) || fuse.left-- > 0) return happen();
      const { when } = fuse;
      fuse = undefined;
      if (when === 'after') await happen();
      throw new Problem('storage_unavailable', 'the disk is away');
    };
    const { created, eventually, network, removeNetwork, settled, update, store, holders } = running;
    const [one, other] = [await network(), await network({ prefix: '10.1.0.0/24' })];
    for (const when of ['before', 'after'] as const) {
      for (let left = 0; left < 6; left++) {
        const { id } = (await created({ attachments: { networkIds: [one] } })).metadata;
        fuse = { left, when };
        await settled(id);
        fuse = undefined;
        expect((await update(id, { attachments: { networkIds: [other] } })).status).toBe(202);
        fuse = { left, when };
        await settled(id);
        fuse = undefined;
        await eventually(
          () => holders(one),
          (names) => names.length === 0,
        );
        fuse = { left, when };
        await store.delete(FileStorage, id);
        await eventually(
          () => store.get(FileStorage, id),
          (gone) => gone === undefined,
        );
        fuse = undefined;
        expect([await holders(one), await holders(other)]).toEqual([[], []]);
      }
    }
    for (const networkId of [one, other]) await removeNetwork(networkId);
  });
});
