import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { annotations, labels } from '@unikorn/core/resource';
import { addReference, ReferenceRecord, removeReference } from '@unikorn/core/references';

import { FileStorage, FileStorageClass, Network } from '../../kinds/index.ts';
import { networkBody } from '../../testing/index.ts';
import { described, startStorage, type RunningStorage, type Wire } from './filestorage.fixture.ts';

const absent = 'aaaaaaaa-0000-4000-8000-000000000000';
const gib = 2 ** 30;

let running: RunningStorage;
beforeAll(async () => {
  running = await startStorage();
});
afterAll(() => running.stop());

const nightly = { name: 'nightly', schedule: { interval: 'daily', timeOfDay: '02:00Z' }, retention: { keep: 3 } };
const hourly = { name: 'often', schedule: { interval: 'hourly' }, retention: { keep: 24 } };

describe('creating file storage', () => {
  it('is answered pending with all defaults, and is provisioned later', async () => {
    const { created, settled, removed, organizationId, projectId, regionId, storageClassId } = running;
    const storage = await created({ storageType: {} }, { description: 'd', tags: [{ name: 'a', value: 'b' }] });
    expect(storage).toEqual({
      metadata: expect.objectContaining({
        name: 'files',
        description: 'd',
        tags: [{ name: 'a', value: 'b' }],
        organizationId,
        projectId,
        provisioningStatus: 'pending',
        healthStatus: 'unknown',
      }) as object,
      spec: {
        sizeGiB: 10,
        storageType: { NFS: { rootSquash: true } },
        attachments: { networkIds: [] },
        defaultSnapshotProtectionEnabled: true,
        snapshotPolicies: [],
      },
      status: { regionId, storageClassId, snapshotPolicies: [] },
    });
    const { metadata, status } = await settled(storage.metadata.id);
    expect(metadata).toMatchObject({ healthStatus: 'healthy' });
    expect(status).toMatchObject({
      usage: {
        capacityBytes: 10 * gib,
        usedBytes: expect.any(Number) as number,
        updatedAt: expect.any(String) as string,
      },
    });
    await removed(storage.metadata.id);
  });

  it('shows where to mount it once it is attached, in the order of the request', async () => {
    const { created, network, settled, removed } = running;
    const [one, other] = [await network(), await network({ prefix: '10.1.0.0/24' })];
    const { metadata, status } = await created({ attachments: { networkIds: [other, one] } });
    expect(status.attachments).toEqual([
      { networkId: other, provisioningStatus: 'pending' },
      { networkId: one, provisioningStatus: 'pending' },
    ]);
    const { id } = metadata;
    expect((await settled(id)).status.attachments).toEqual([
      {
        networkId: other,
        provisioningStatus: 'provisioned',
        mountSource: `10.1.0.16:/exports/${id}`,
        mountOptions: { remoteports: '10.1.0.16-10.1.0.19' },
      },
      {
        networkId: one,
        provisioningStatus: 'provisioned',
        mountSource: `10.0.0.16:/exports/${id}`,
        mountOptions: { remoteports: '10.0.0.16-10.0.0.19' },
      },
    ]);
    await removed(id);
  });

  it('has as many addresses as its class says and its network has', async () => {
    const { created, network, settled, store, world, regionId, removed } = running;
    const storageClassId = world.uuid();
    await store.create(FileStorageClass, {
      metadata: { name: storageClassId, labels: { [labels.name]: 'wide', [labels.region]: regionId } },
      spec: { provisioner: 'simulated', protocols: ['nfsv4'], parallelism: 9 },
    });
    const narrow = await network({ reservations: { prefixLength: 29, providerReservedPrefixLength: 30 } });
    const { metadata } = await created({ storageClassId, attachments: { networkIds: [await network(), narrow] } });
    const remoteports = (await settled(metadata.id)).status.attachments?.map(({ mountOptions }) => mountOptions);
    expect(remoteports).toEqual([{ remoteports: '10.0.0.16-10.0.0.24' }, { remoteports: '10.0.0.4-10.0.0.7' }]);
    await removed(metadata.id);
  });

  it.each<[string, object, number, string]>([
    ['no size', { sizeGiB: 0 }, 422, 'spec.sizeGiB'],
    ['less than no size', { sizeGiB: -1 }, 422, 'spec.sizeGiB'],
    ['more than can be counted', { sizeGiB: 2 ** 53 }, 422, 'spec.sizeGiB'],
    ['half a size', { sizeGiB: 1.5 }, 400, 'sizeGiB'],
    ['a region that is not there', { regionId: absent }, 422, 'spec.regionId'],
    ['a class that is not there', { storageClassId: absent }, 422, 'spec.storageClassId'],
    ['a class that cannot be one', { storageClassId: 'x' }, 422, 'spec.storageClassId'],
    ['a project that cannot be one', { projectId: 'x' }, 400, 'projectId'],
    ['a project that is not there', { projectId: absent }, 404, 'project'],
    ['an organization that is not there', { organizationId: absent }, 403, 'create'],
    ['a network that is not there', { attachments: { networkIds: [absent] } }, 422, 'spec.attachments.networkIds.0'],
    ['a network that cannot be one', { attachments: { networkIds: ['x'] } }, 422, 'spec.attachments.networkIds.0'],
    ['attachments that are null', { attachments: null }, 400, 'attachments'],
    ['protection that is null', { defaultSnapshotProtectionEnabled: null }, 400, 'defaultSnapshotProtectionEnabled'],
    ['policies that are null', { snapshotPolicies: null }, 400, 'snapshotPolicies'],
    [
      'five policies',
      { snapshotPolicies: [1, 2, 3, 4, 5].map((number) => ({ ...hourly, name: `p${number}` })) },
      400,
      'snapshotPolicies',
    ],
    [
      'the platform’s own policy, with protection',
      { snapshotPolicies: [{ ...nightly, name: 'system-default' }] },
      422,
      'spec.snapshotPolicies.0.name',
    ],
    [
      'the platform’s own policy, without',
      { defaultSnapshotProtectionEnabled: false, snapshotPolicies: [{ ...nightly, name: 'system-default' }] },
      422,
      'spec.snapshotPolicies.0.name',
    ],
    [
      'two policies of one name',
      { snapshotPolicies: [nightly, { ...hourly, name: 'nightly' }] },
      422,
      'spec.snapshotPolicies.1.name',
    ],
    [
      'an hour for every hour',
      { snapshotPolicies: [{ ...hourly, schedule: { interval: 'hourly', timeOfDay: '02:00Z' } }] },
      422,
      'timeOfDay',
    ],
    [
      'a day without its hour',
      { snapshotPolicies: [{ ...nightly, schedule: { interval: 'daily' } }] },
      422,
      'timeOfDay',
    ],
    [
      'a week without its day',
      { snapshotPolicies: [{ ...nightly, schedule: { interval: 'weekly', timeOfDay: '02:00Z' } }] },
      422,
      'dayOfWeek',
    ],
    [
      'a month with a day of the week',
      {
        snapshotPolicies: [
          { ...nightly, schedule: { interval: 'monthly', timeOfDay: '02:00Z', dayOfMonth: 3, dayOfWeek: 'monday' } },
        ],
      },
      422,
      'dayOfWeek',
    ],
    ['more than the quota', { sizeGiB: 2000 }, 403, 'filestorage'],
  ])('refuses %s, and leaves nothing behind', async (_name, spec, status, text) => {
    const { create, store } = running;
    expect(await create(spec)).toMatchObject(described(status, text));
    expect((await store.list(FileStorage)).items).toEqual([]);
  });

  it('refuses reserved tags, and callers who may only read', async () => {
    const { call, body, create, found, organizationId } = running;
    expect((await create({}, { tags: [{ name: 'compute.unikorn-cloud.org:x', value: 'y' }] })).status).toBe(400);
    const { token } = await found.robot(organizationId, ['auditor']);
    expect((await call('POST', '/api/v2/filestorage', { body: body(), token })).status).toBe(403);
  });

  it('refuses a class of another region, and answers that one of another organization does not exist', async () => {
    const { create, found, openRegion, regionId, store, world } = running;
    const offer = async (labelled: Record<string, string>) => {
      const name = world.uuid();
      await store.create(FileStorageClass, {
        metadata: { name, labels: { [labels.name]: 'class', ...labelled } },
        spec: { provisioner: 'simulated', protocols: ['nfsv4'] },
      });
      return name;
    };
    const elsewhere = await offer({ [labels.region]: await openRegion() });
    expect(await create({ storageClassId: elsewhere })).toMatchObject(
      described(422, 'spec.storageClassId: must be a class of the same region'),
    );
    const theirs = await offer({ [labels.region]: regionId, [labels.organization]: await found.organization() });
    expect(await create({ storageClassId: theirs })).toMatchObject(
      described(422, `spec.storageClassId: file storage class ${theirs} does not exist`),
    );
  });
});

describe('attaching file storage', () => {
  const attach = async (networkId: string) => running.create({ attachments: { networkIds: [networkId] } });

  it('refuses a network of another project, also one of the same organization', async () => {
    const { found, organizationId, regionId, network } = running;
    const projectId = await found.project(organizationId);
    expect(await attach(await network({}, { organizationId, projectId, regionId }))).toMatchObject(
      described(422, 'same project'),
    );
  });

  it('refuses a network of another region', async () => {
    const { openRegion, organizationId, projectId, network } = running;
    const regionId = await openRegion();
    expect(await attach(await network({}, { organizationId, projectId, regionId }))).toMatchObject(
      described(422, 'same region'),
    );
  });

  it('refuses a network that is not provisioned yet', async () => {
    const { call, eventually, operator, regionId, store } = running;
    await operator(regionId).turn({ service: 'down' });
    const { id } = ((await call('POST', '/api/v2/networks', { body: networkBody(running) })).body as Wire).metadata;
    expect(await attach(id)).toMatchObject(described(422, 'is not provisioned yet'));
    await operator(regionId).turn({ service: 'up' });
    expect((await call('DELETE', `/api/v2/networks/${id}`)).status).toBe(202);
    await eventually(
      () => store.get(Network, id),
      (left) => left === undefined,
    );
  });

  it('refuses a network that is being deleted', async () => {
    const { network, store, world } = running;
    const going = await network();
    const held = 'others.example.com/x';
    await addReference({ store, world }, Network, { name: going }, { reference: held });
    await store.delete(Network, going);
    expect(await attach(going)).toMatchObject(described(422, 'is being deleted'));
    await removeReference(store, Network, going, held);
  });

  it('refuses a network without addresses for storage, and a network that is named twice', async () => {
    const { create, network } = running;
    const full = await network({ reservations: { prefixLength: 26, providerReservedPrefixLength: 26 } });
    expect(await attach(full)).toMatchObject(described(422, 'no addresses reserved for storage'));
    const twice = await network();
    expect(await create({ attachments: { networkIds: [twice, twice] } })).toMatchObject(
      described(422, 'spec.attachments.networkIds.1: must not be named twice'),
    );
  });
});

describe('snapshot policies', () => {
  it('of the platform are kept but never shown, and do not count', async () => {
    const { created, settled, store, removed } = running;
    const four = [1, 2, 3, 4].map((number) => ({ ...hourly, name: `p${number}` }));
    const { metadata } = await created({ snapshotPolicies: four });
    const { spec, status } = await settled(metadata.id);
    expect((await store.get(FileStorage, metadata.id))?.spec.snapshotPolicies.map(({ name }) => name)).toEqual([
      'p1',
      'p2',
      'p3',
      'p4',
      'system-default',
    ]);
    expect(spec['snapshotPolicies']).toEqual(four);
    expect(status.snapshotPolicies).toEqual(
      four.map(({ name }) => ({ name, provisioningStatus: 'provisioned', message: 'no snapshot has been due yet' })),
    );
    await removed(metadata.id);
  });

  it('stay if a change omits them, are removed by an empty list, and are replaced by a list', async () => {
    const { created, update, removed, store } = running;
    const { metadata } = await created({ snapshotPolicies: [nightly], defaultSnapshotProtectionEnabled: false });
    const after = async (spec: object) => ((await update(metadata.id, spec)).body as Wire).spec;
    expect(await after({})).toMatchObject({ snapshotPolicies: [nightly], defaultSnapshotProtectionEnabled: false });
    expect(await after({ defaultSnapshotProtectionEnabled: true })).toMatchObject({
      snapshotPolicies: [nightly],
      defaultSnapshotProtectionEnabled: true,
    });
    expect((await store.get(FileStorage, metadata.id))?.spec.snapshotPolicies.map(({ name }) => name)).toEqual([
      'nightly',
      'system-default',
    ]);
    expect(await after({ snapshotPolicies: [hourly] })).toMatchObject({
      snapshotPolicies: [hourly],
      defaultSnapshotProtectionEnabled: true,
    });
    expect(await after({ snapshotPolicies: [] })).toMatchObject({
      snapshotPolicies: [],
      defaultSnapshotProtectionEnabled: true,
    });
    expect(await update(metadata.id, { snapshotPolicies: null })).toMatchObject({ status: 400 });
    await removed(metadata.id);
  });
});

describe('changing file storage', () => {
  it('grows it and its charge, never shrinks it, and changes nothing if the quota is used up', async () => {
    const { created, read, removed, settled, update } = running;
    const { id } = (await created()).metadata;
    await settled(id);
    for (const sizeGiB of [9, 0, -1])
      expect(await update(id, { sizeGiB })).toMatchObject(described(422, 'spec.sizeGiB'));
    expect(await update(id, { sizeGiB: 20 })).toMatchObject({ status: 202, body: { spec: { sizeGiB: 20 } } });
    expect((await settled(id)).status).toMatchObject({ usage: { capacityBytes: 20 * gib } });
    expect((await update(id, { sizeGiB: 1025 }, { name: 'huge' })).status).toBe(403);
    expect(await read(id)).toMatchObject({ metadata: { name: 'files' }, spec: { sizeGiB: 20 } });
    expect((await running.create({ sizeGiB: 1005 })).status).toBe(403);
    const rest = await created({ sizeGiB: 1004 });
    await removed(rest.metadata.id);
    await removed(id);
  });

  it('keeps omitted attachments, detaches for an empty list, and does not check existing attachments again', async () => {
    const { created, eventually, network, removed, settled, store, update } = running;
    const [one, other] = [await network(), await network({ prefix: '10.1.0.0/24' })];
    const { id } = (await created({ attachments: { networkIds: [one] } })).metadata;
    await settled(id);
    const networkIds = async (spec: object) => ((await update(id, spec)).body as Wire).spec['attachments'];
    expect(await networkIds({})).toEqual({ networkIds: [one] });
    expect(await networkIds({ attachments: { networkIds: [other, one] } })).toEqual({ networkIds: [other, one] });
    await settled(id);
    await store.delete(Network, other);
    expect(await networkIds({ attachments: { networkIds: [other] } })).toEqual({ networkIds: [other] });
    expect(await networkIds({ attachments: { networkIds: [] } })).toEqual({ networkIds: [] });
    expect((await settled(id)).status).not.toHaveProperty('attachments');
    await eventually(
      () => store.list(ReferenceRecord),
      ({ items }) => !items.some(({ spec }) => spec.used.id === other && spec.reference.includes(id)),
    );
    await removed(id);
  });

  it('keeps its creator, records who changed it, and removes an omitted description and omitted tags', async () => {
    const { created, removed, store, update } = running;
    const { id } = (await created({}, { description: 'd', tags: [{ name: 'a', value: 'b' }] })).metadata;
    const before = (await store.get(FileStorage, id))?.metadata;
    const { metadata } = (await update(id, {}, { name: 'other' })).body as Wire;
    expect(metadata).toMatchObject({
      name: 'other',
      createdBy: before?.annotations?.[annotations.creator],
      modifiedBy: before?.annotations?.[annotations.creator],
    });
    expect(metadata).not.toHaveProperty('description');
    expect(metadata).not.toHaveProperty('tags');
    expect((await store.get(FileStorage, id))?.metadata.labels).toEqual({ ...before?.labels, [labels.name]: 'other' });
    await removed(id);
  });

  it('is refused once it is being deleted, and the deletion can be repeated', async () => {
    const { call, created, eventually, read, store, update, operator, regionId } = running;
    const { id } = (await created()).metadata;
    await operator(regionId).turn({ fileStorage_ms: 60_000 });
    expect((await call('DELETE', `/api/v2/filestorage/${id}`)).status).toBe(202);
    expect((await read(id)).metadata).toMatchObject({ provisioningStatus: 'deprovisioning' });
    expect((await update(id)).status).toBe(400);
    expect((await call('DELETE', `/api/v2/filestorage/${id}`)).status).toBe(202);
    await operator(regionId).turn({ fileStorage_ms: 0 });
    await eventually(
      () => store.get(FileStorage, id),
      (left) => left === undefined,
      300_000,
    );
    expect((await call('DELETE', `/api/v2/filestorage/${id}`)).status).toBe(404);
  });
});

describe('listing file storage', () => {
  it('returns the objects that the query selects and the caller may read', async () => {
    const { call, created, found, openRegion, organizationId, projectId, regionId, removed } = running;
    const { id } = (await created({}, { tags: [{ name: 'team', value: 'red' }] })).metadata;
    const ids = async (query: string, token?: string) =>
      (
        (await call('GET', `/api/v2/filestorage${query}`, token === undefined ? {} : { token })).body as readonly Wire[]
      ).map(({ metadata }) => metadata.id);
    for (const query of [
      '',
      `?regionID=${regionId}`,
      `?projectID=${projectId}&organizationID=${organizationId}`,
      '?tag=team%3Dred',
    ])
      expect(await ids(query)).toEqual([id]);
    for (const query of [
      `?regionID=${await openRegion()}`,
      `?projectID=${absent}`,
      `?organizationID=${absent}`,
      '?tag=team%3Dblue',
    ])
      expect(await ids(query)).toEqual([]);
    const { token } = await found.robot(await found.organization(), ['administrator']);
    expect(await ids('', token)).toEqual([]);
    expect((await call('GET', `/api/v2/filestorage/${id}`, { token })).status).toBe(404);
    expect((await call('GET', '/api/v2/filestorage?tag=x')).status).toBe(400);
    await removed(id);
  });
});
