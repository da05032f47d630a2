import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { Problem } from '@unikorn/core/errors';
import type { OnBehalf } from '@unikorn/core/http';
import { deterministicId, findCondition, labels } from '@unikorn/core/resource';
import { modifyStatus } from '@unikorn/core/store';
import { timestamp } from '@unikorn/core/world';
import { Server, type RegionClient } from '@unikorn/region/client';

import { ComputeInstance } from '../kinds/index.ts';
import { linkTag } from '../link/index.ts';
import { asService } from '../on-behalf.ts';
import { debianImage, gpuFlavor, standardFlavor, startCompute, ubuntuImage, type RunningCompute } from '../testing/index.ts';
import { bear, change, charges, messageOf, recorded, serversOf, standing, until } from './instance/stage.fixture.ts';

const anyText: unknown = expect.any(String);
const untouched = (region: RegionClient) => region;

let compute: RunningCompute;
/** What was asked of region, and on whose behalf. */
const calls: string[] = [];
let between: (region: RegionClient) => RegionClient = untouched;
let writes = 0;
let lists = 0;
let looks = 0;

beforeAll(async () => {
  compute = await startCompute({
    regionClient: (region) => passing(recorded(region, calls), () => between),
    around: (call, happen) => {
      if (call.verb === 'updateStatus' && call.kind.id === ComputeInstance.id) writes++;
      if (call.verb === 'list' && (call.kind.id === ComputeInstance.id || call.kind.id === Server.id)) lists++;
      return happen();
    },
  });
});
afterEach(async () => {
  between = untouched;
  await turn({ build_ms: 0, delete_ms: 0, buildFailureRate: 0, service: 'up' });
  for (const { metadata } of (await compute.store.list(ComputeInstance)).items) {
    await compute.store.delete(ComputeInstance, metadata.name);
    await until(compute, metadata.name, 'gone');
  }
  calls.length = 0;
});
afterAll(() => compute.stop());

/** Whatever comes in between when a call is made. */
function passing(region: RegionClient, current: () => (region: RegionClient) => RegionClient): RegionClient {
  return {
    ...region,
    server: (on, id) => {
      looks++;
      return current()(region).server(on, id);
    },
    network: (on, id) => current()(region).network(on, id),
    createServer: (on, server) => current()(region).createServer(on, server),
    updateServer: (on, id, server) => current()(region).updateServer(on, id, server),
    deleteServer: (on, id) => current()(region).deleteServer(on, id),
    power: (on, id, verb) => current()(region).power(on, id, verb),
  };
}

const turn = (knobs: Parameters<ReturnType<RunningCompute['operator']>['turn']>[0]) => compute.operator(compute.regionId).turn(knobs);
const instanceOf = (id: string) => compute.store.get(ComputeInstance, id);
const serverOf = (id: string) => compute.store.get(Server, id);
const away = () => Promise.reject(new Problem('server_error', 'region cannot be reached at the moment: try again'));

async function provisioned(name: string, spec: Parameters<typeof change>[2] = {}): Promise<string> {
  const id = await bear(compute, { name, spec });
  await until(compute, id, 'Provisioned');
  calls.length = 0;
  return id;
}

/** Another server that says it is the instance's. */
async function twinOf(id: string): Promise<string> {
  const metadata = (await instanceOf(id))?.metadata ?? { name: '' };
  const spec = { networkId: compute.networkId, flavorId: standardFlavor, imageId: ubuntuImage };
  return (await compute.toRegion.createServer(asService(metadata), { metadata: { name: 'twin', tags: [{ name: linkTag, value: id }] }, spec })).metadata.id;
}

describe('the creation of an instance', () => {
  it('takes one server, one look, one write and no list on a cloud that is quick', async () => {
    [writes, looks, lists] = [0, 0, 0];
    const id = await bear(compute, { name: 'quick' });
    const instance = await until(compute, id, 'Provisioned');
    expect(calls).toEqual(['create quick']);
    expect({ writes, looks, lists }).toEqual({ writes: 1, looks: 1, lists: 0 });
    expect(instance?.status).toMatchObject({ serverId: id, powerState: 'Running', privateIp: anyText, macAddress: anyText, observedAt: anyText });
    expect(findCondition(instance?.status?.conditions, 'Healthy')).toMatchObject({ status: 'True', reason: 'Healthy' });
  });

  it.each([
    ['of which nobody had told', 'overlooked', new Problem('conflict', 'the network has a server of that name')],
    ['which region would not make again', 'retired', new Problem('unprocessable_content', 'spec.imageId: the image does not exist')],
  ])('follows the server that it turns out to have already, %s', async (_why, name, refusal) => {
    looks = 0;
    between = (region) => ({
      ...region,
      createServer: async (on, server) => {
        between = untouched;
        await region.createServer(on, server);
        throw refusal;
      },
    });
    const id = await bear(compute, { name });
    await until(compute, id, 'Provisioned');
    expect(calls).toEqual([`create ${name}`]);
    expect(looks).toBeGreaterThan(0);
  });

  it('is not made while another claims to be it', async () => {
    const owner = await provisioned('claimed');
    const { metadata, spec } = (await serverOf(owner)) ?? {};
    if (!metadata || !spec) throw new Error('there is no server');
    const name = deterministicId(compute.networkId, 'impostored');
    const stray = compute.world.uuid();
    await compute.store.create(Server, { metadata: { name: stray, labels: { ...metadata.labels, [labels.name]: 'impostor' } }, spec: { ...spec, tags: [{ name: linkTag, value: name }] } });
    await compute.world.settle();
    expect(await bear(compute, { name: 'impostored' })).toBe(name);
    await until(compute, name, 'Errored');
    expect(await messageOf(compute, name)).toContain(stray);
    expect(calls).toEqual([]);
    await compute.store.delete(Server, stray);
    await until(compute, name, 'Provisioned');
  });

  it('says within two seconds that a new machine is waited for, of which nobody has said anything', async () => {
    await turn({ call_ms: 30_000 });
    const id = await bear(compute, { name: 'gradual' });
    await compute.world.advance(1_900);
    expect((await instanceOf(id))?.status).toBeUndefined();
    await compute.world.advance(200);
    expect(await messageOf(compute, id)).toBe('its machine is about to be made');
    await turn({ call_ms: 0 });
    await until(compute, id, 'Provisioned');
  });

  it('says why region refuses the server of one that is new', async () => {
    between = (region) => ({ ...region, createServer: () => Promise.reject(new Problem('unprocessable_content', 'the flavor is sold out')) });
    const id = await bear(compute, { name: 'unwelcome' });
    await until(compute, id, 'Errored');
    expect(await messageOf(compute, id)).toBe('the flavor is sold out');
  });

  it('links instance and server explicitly: by one id, by a field of its status, and by the only tag of the server', async () => {
    const id = await provisioned('linked', { tags: [{ name: 'mine', value: '1' }] });
    const server = await serverOf(id);
    expect((await instanceOf(id))?.status?.serverId).toBe(id);
    expect(server?.spec.tags).toEqual([{ name: linkTag, value: id }]);
    expect(server?.metadata.annotations?.['unikorn-cloud.org/description']).toBe(`the machine of instance ${id}`);
  });

  it('waits for its network instead of polling region, and goes on as soon as that is ready', async () => {
    await turn({ service: 'down' });
    const body = { metadata: { name: 'slow' }, spec: { organizationId: compute.organizationId, projectId: compute.projectId, regionId: compute.regionId, prefix: '10.0.0.0/16', dnsNameservers: [] } };
    const { body: made } = await compute.request('POST', '/region/api/v2/networks', { body });
    const networkId = (made as { metadata: { id: string } }).metadata.id;
    const id = await bear(compute, { name: 'patient', networkId });
    await until(compute, id, 'DependencyNotReady');
    expect(await messageOf(compute, id)).toContain('network slow');
    await compute.world.advance(60_000);
    expect(calls).toEqual([]);
    await turn({ service: 'up' });
    await until(compute, id, 'Provisioned');
    expect(calls).toEqual(['create patient']);
  });

  it('says what its server says while that is on its way', async () => {
    await turn({ build_ms: 10_000 });
    const id = await bear(compute, { name: 'building' });
    await until(compute, id, 'Provisioning');
    await compute.eventually(() => messageOf(compute, id), (message) => message === 'the machine is being built');
    expect((await instanceOf(id))?.status).toMatchObject({ powerState: 'Building' });
    await until(compute, id, 'Provisioned');
  });

  it('adopts a server whose creation was not answered', async () => {
    between = (region) => ({ ...region, createServer: async (on, server) => region.createServer(on, server).then(away) });
    const id = await bear(compute, { name: 'adopted' });
    await until(compute, id, 'Provisioned');
    expect(await serversOf(compute, id)).toHaveLength(1);
    expect(calls).toEqual(['create adopted']);
  });

  it('parks with a named error when somebody else has its name, leaves them alone, and goes on when they are gone', async () => {
    const [id, metadata] = [deterministicId(compute.networkId, 'taken'), (await instanceOf(await provisioned('owner')))?.metadata];
    if (!metadata) throw new Error('there is no instance');
    const spec = { networkId: compute.networkId, flavorId: standardFlavor, imageId: ubuntuImage };
    await compute.toRegion.createServer(asService(metadata), { metadata: { name: 'taken' }, spec });
    expect(await bear(compute, { name: 'taken' })).toBe(id);
    await until(compute, id, 'Errored');
    expect(await messageOf(compute, id)).toContain(id);
    expect(calls).toEqual([]);
    await compute.store.delete(Server, id);
    await until(compute, id, 'Provisioned');
    expect(calls).toEqual(['create taken']);
  });

  it('shows what region refuses in its own words, and tries again', async () => {
    const id = await bear(compute, { name: 'refused', spec: { imageId: 'no-such-image' } });
    await until(compute, id, 'Errored');
    expect(await messageOf(compute, id)).toBe('image no-such-image does not exist');
    await change(compute, id, { imageId: ubuntuImage });
    await until(compute, id, 'Provisioned');
  });
});

describe('server `error` shown as endless `provisioning`: propagate as error', () => {
  it('an instance whose server cannot be built says so and why, asks for it no more, and recovers with it', async () => {
    await turn({ buildFailureRate: 1 });
    const id = await bear(compute, { name: 'failing' });
    await until(compute, id, 'Errored');
    expect(await messageOf(compute, id)).toBe((findCondition((await serverOf(id))?.status?.conditions, 'Available'))?.message);
    expect(await messageOf(compute, id)).toContain('could not be started on its host');
    looks = 0;
    await compute.world.advance(120_000);
    expect(looks).toBe(0);
    await turn({ buildFailureRate: 0 });
    await modifyStatus(compute.store, Server, id, ({ metadata, status }) => ({ metadata, status: { ...status, providerCreateFailures: 0 } }));
    await until(compute, id, 'Provisioned');
  });
});

describe('what the server of an instance needs', () => {
  it.each([
    ['provisioning', 'DependencyNotReady'],
    ['provisioning', 'DependencyFailed'],
    ['error', 'DependencyNotFound'],
  ] as const)('is told by the instance as by its server, which is %s: %s', async (provisioningStatus, reason) => {
    const provisioningStatusDetail = { reason, message: 'the security group is the reason' };
    between = (region) => ({
      ...region,
      server: async (on, id) => {
        const server = await region.server(on, id);
        return server && { ...server, metadata: { ...server.metadata, provisioningStatus, provisioningStatusDetail } };
      },
    });
    const id = await bear(compute, { name: 'needy' });
    await until(compute, id, reason);
    expect(await messageOf(compute, id)).toBe('the security group is the reason');
  });
});

describe('a change that a running instance bears', () => {
  it('is one update of its server, and its address stays', async () => {
    const id = await provisioned('public');
    const before = await instanceOf(id);
    await change(compute, id, { networking: { publicIp: true, allowedSourceAddresses: ['10.1.2.3/24'] } });
    const after = await until(compute, id, 'Provisioned');
    expect(calls).toEqual(['update public']);
    expect(after?.status).toMatchObject({ publicIp: anyText, privateIp: before?.status?.privateIp });
    expect(after?.status?.replacement).toBeUndefined();
  });
});

describe('flavor change', () => {
  it('old server deleted, then exactly one create once it is gone; Available goes False/Provisioning, then True', async () => {
    await turn({ delete_ms: 5_000 });
    const id = await provisioned('larger');
    const before = await serverOf(id);
    await change(compute, id, { flavorId: gpuFlavor });
    await until(compute, id, 'Provisioning');
    await compute.eventually(async () => (await serverOf(id))?.metadata.deletionTimestamp, (time) => time !== undefined);
    await compute.world.advance(1_000);
    expect(calls).toEqual(['delete']);
    expect((await instanceOf(id))?.status).not.toHaveProperty('privateIp');
    await until(compute, id, 'Provisioned');
    const [server, ...others] = await serversOf(compute, id);
    expect(others).toEqual([]);
    expect(server?.metadata.uid).not.toBe(before?.metadata.uid);
    expect(server?.spec.flavorID).toBe(gpuFlavor);
    expect(calls).toEqual(['delete', 'create larger']);
    expect((await instanceOf(id))?.status).toMatchObject({ privateIp: anyText });
  });

  it('repeated deletes are harmless: one whose answers are lost ends in the same place', async () => {
    const id = await provisioned('lost-answers');
    between = (region) => ({ ...region, deleteServer: async (on, server) => region.deleteServer(on, server).then(away) });
    await change(compute, id, { flavorId: gpuFlavor });
    await until(compute, id, 'Provisioned');
    expect(calls.filter((call) => call.startsWith('create'))).toEqual(['create lost-answers']);
  });

  it('taken back before it began does nothing', async () => {
    const id = await provisioned('hesitant', { afterRebuild: 'stop' });
    between = (region) => ({ ...region, deleteServer: away });
    await change(compute, id, { flavorId: gpuFlavor });
    await compute.eventually(async () => (await instanceOf(id))?.status?.replacement, (seen) => seen !== undefined);
    await change(compute, id, { flavorId: standardFlavor });
    const instance = await until(compute, id, 'Provisioned');
    expect(calls).toEqual([]);
    expect(instance?.status).toMatchObject({ powerState: 'Running' });
    expect(instance?.status?.replacement).toBeUndefined();
  });
});

describe('rebuild is a visible state: old and new values before it begins and until it is done', () => {
  it('a new image is rebuilt in place by region, and announced before region hears of it', async () => {
    await turn({ build_ms: 5_000 });
    const id = await provisioned('repaved');
    const [uid, privateIp] = [(await serverOf(id))?.metadata.uid, (await instanceOf(id))?.status?.privateIp];
    const shown: unknown[] = [];
    between = (region) => ({
      ...region,
      updateServer: async (on, server, body) => {
        shown.push((await instanceOf(id))?.status?.replacement);
        return region.updateServer(on, server, body);
      },
    });
    await change(compute, id, { imageId: debianImage });
    await compute.eventually(() => messageOf(compute, id), (message) => message?.includes('is being rebuilt') ?? false);
    const replacement = { action: 'rebuild', since: anyText, changes: [{ field: 'imageId', from: ubuntuImage, to: debianImage }] };
    expect(shown).toEqual([replacement]);
    expect((await instanceOf(id))?.status?.replacement).toEqual(replacement);
    expect(await messageOf(compute, id)).toContain('its root disk is replaced because spec.imageId changed');
    const after = await until(compute, id, 'Provisioned');
    expect(after?.status).toMatchObject({ privateIp });
    expect(after?.status?.replacement).toBeUndefined();
    expect((await serverOf(id))?.metadata.uid).toBe(uid);
    expect(calls).toEqual(['update repaved']);
  });

  it('a new machine is announced before the old one is deleted', async () => {
    const id = await provisioned('announced');
    const shown: unknown[] = [];
    between = (region) => ({
      ...region,
      deleteServer: async (on, server) => {
        shown.push((await instanceOf(id))?.status?.replacement);
        return region.deleteServer(on, server);
      },
    });
    await change(compute, id, { flavorId: gpuFlavor, imageId: debianImage });
    await until(compute, id, 'Provisioned');
    const changes = [
      { field: 'flavorId', from: standardFlavor, to: gpuFlavor },
      { field: 'imageId', from: ubuntuImage, to: debianImage },
    ];
    expect(shown).toEqual([{ action: 'recreate', since: anyText, changes }]);
  });

  it('an instance that asks for it is stopped once its disk is replaced, once', async () => {
    const id = await provisioned('parked', { afterRebuild: 'stop' });
    await change(compute, id, { imageId: debianImage });
    await until(compute, id, 'Provisioned');
    await compute.eventually(() => instanceOf(id), (instance) => instance?.status?.powerState === 'Stopped');
    expect(calls).toEqual(['update parked', 'stop']);
    await compute.toRegion.power(asService((await instanceOf(id))?.metadata ?? { name: '' }), id, 'start');
    await compute.eventually(() => instanceOf(id), (instance) => instance?.status?.powerState === 'Running');
    expect(calls).toEqual(['update parked', 'stop']);
  });

  it('one that is stopped already when it is to be stopped is as it should be', async () => {
    const id = await provisioned('still', { afterRebuild: 'stop' });
    between = (region) => ({ ...region, power: () => Promise.reject(new Problem('invalid_request', 'the server does not run')) });
    await change(compute, id, { imageId: debianImage });
    expect((await until(compute, id, 'Provisioned'))?.status?.replacement).toBeUndefined();
  });
});

describe('zero or two tagged servers', () => {
  it('two: the instance says which, and nothing is sent to any of them until only its own is left', async () => {
    const id = await provisioned('twice');
    const twin = await twinOf(id);
    await until(compute, id, 'Errored');
    expect(await messageOf(compute, id)).toContain(`${id} and ${twin}`);
    await change(compute, id, { flavorId: gpuFlavor });
    await until(compute, id, 'Errored');
    await compute.world.advance(60_000);
    expect(calls).toEqual([]);
    expect(await compute.telemetry.registry.getSingleMetricAsString('unikorn_compute_ambiguous_link_total')).toMatch(/ [1-9]/);
    await compute.store.delete(Server, twin);
    await until(compute, id, 'Provisioned');
  });

  it('two: an instance that is deleted stays, with both of them and what it costs, until only its own is left', async () => {
    const id = await provisioned('torn');
    const twin = await twinOf(id);
    await until(compute, id, 'Errored');
    await compute.store.delete(ComputeInstance, id);
    await compute.world.advance(60_000);
    expect(await standing(compute, id)).toBe('going');
    expect(await messageOf(compute, id)).toContain(`${id} and ${twin}`);
    expect(calls).toEqual([]);
    expect(await serversOf(compute, id)).toHaveLength(2);
    expect(await charges(compute, id)).toHaveLength(1);
    await compute.store.delete(Server, twin);
    await until(compute, id, 'gone');
    expect(calls).toEqual(['delete']);
    expect(await charges(compute, id)).toEqual([]);
  });

  it('zero: a server that was deleted behind its back is made anew once it is certain, and the loss is told', async () => {
    const id = await provisioned('bereft');
    const before = await serverOf(id);
    await turn({ build_ms: 20_000 });
    await compute.store.delete(Server, id);
    await compute.eventually(() => serverOf(id), (server) => server !== undefined && server.metadata.uid !== before?.metadata.uid);
    await compute.world.settle();
    expect((await instanceOf(id))?.status).toMatchObject({ powerState: 'Building', replacement: { action: 'recreate', changes: [] } });
    expect(await messageOf(compute, id)).toContain('its machine was lost and is made anew, without its disk and its addresses');
    await until(compute, id, 'Provisioned');
    const { replacement, diskLostAt } = (await instanceOf(id))?.status ?? {};
    expect({ replacement, isTold: diskLostAt !== undefined }).toEqual({ replacement: undefined, isTold: true });
    expect(calls).toEqual(['create bereft']);
  });

  it('zero: once another server is asked for, that is said at once, and no longer that the old one is looked for', async () => {
    const id = await provisioned('outspoken');
    const before = await serverOf(id);
    await compute.store.delete(Server, id);
    await turn({ call_ms: 3_000 });
    const after = await compute.eventually(() => serverOf(id), (server) => server !== undefined && server.metadata.uid !== before?.metadata.uid);
    expect(after?.status).toBeUndefined();
    expect(await messageOf(compute, id)).toMatch(/is made anew, .*: its machine is about to be made$/);
    await turn({ call_ms: 0 });
    await until(compute, id, 'Provisioned');
  });

  it('zero, until the server is found again: it has its disk, and none is told of as lost', async () => {
    const id = await provisioned('found');
    await compute.world.advance(5_000);
    const replacement = { action: 'recreate', since: timestamp(compute.world.now()), changes: [] } as const;
    await modifyStatus(compute.store, ComputeInstance, id, ({ metadata, status }) => ({ metadata, status: { ...status, replacement } }));
    await modifyStatus(compute.store, Server, id, ({ metadata, status }) => ({ metadata, status: { ...status, scheduledAt: '2026-01-01T00:00:00Z' } }));
    const found = await compute.eventually(() => instanceOf(id), (instance) => instance?.status?.replacement === undefined);
    expect(found?.status).not.toHaveProperty('diskLostAt');
    expect(calls).toEqual([]);
  });
});

describe('a region that is away', () => {
  it('is not mistaken for deleted servers: what is as it should be stays so', async () => {
    const id = await provisioned('steady');
    const before = await instanceOf(id);
    between = (region) => ({ ...region, server: away });
    await modifyStatus(compute.store, Server, id, ({ metadata, status }) => ({ metadata, status: { ...status, scheduledAt: '2026-01-01T00:00:00Z' } }));
    await compute.world.advance(120_000);
    expect(await instanceOf(id)).toEqual(before);
    expect(calls).toEqual([]);
  });

  it('is surfaced by an instance that waits for it, which goes on when it is back', async () => {
    between = (region) => ({ ...region, server: away });
    const id = await bear(compute, { name: 'unanswered' });
    await until(compute, id, 'DependencyFailed');
    expect(await messageOf(compute, id)).toContain('its region cannot be asked at the moment');
    between = untouched;
    await until(compute, id, 'Provisioned');
  });

  it('or answers 404 for everything, creates nothing and forgets no address', async () => {
    const id = await provisioned('denied');
    const { privateIp } = (await instanceOf(id))?.status ?? {};
    between = (region) => ({ ...region, server: () => Promise.resolve(undefined) });
    await modifyStatus(compute.store, Server, id, ({ metadata, status }) => ({ metadata, status: { ...status, scheduledAt: '2026-01-01T00:00:00Z' } }));
    await compute.world.advance(120_000);
    expect(calls).toEqual([]);
    expect((await instanceOf(id))?.status).toMatchObject({ privateIp });
    between = untouched;
    await until(compute, id, 'Provisioned');
    const { replacement, diskLostAt } = (await instanceOf(id))?.status ?? {};
    expect({ replacement, diskLostAt }).toEqual({ replacement: undefined, diskLostAt: undefined });
  });

  it('or answers 404 for everything, lets no instance that is deleted leave its server behind', async () => {
    const id = await provisioned('kept');
    between = (region) => ({ ...region, server: () => Promise.resolve(undefined) });
    await compute.store.delete(ComputeInstance, id);
    await compute.world.advance(120_000);
    expect(await standing(compute, id)).toBe('going');
    expect(await charges(compute, id)).toHaveLength(1);
    between = untouched;
    await until(compute, id, 'gone');
    expect(await serverOf(id)).toBeUndefined();
  });
});

describe('delete', () => {
  it('server delete first; allocation is deleted strictly after the server is gone; finalizer last', async () => {
    await turn({ delete_ms: 5_000 });
    const id = await provisioned('leaving');
    await compute.store.delete(ComputeInstance, id);
    await compute.world.advance(3_000);
    expect(calls).toEqual(['delete']);
    expect((await serverOf(id))?.metadata.deletionTimestamp).toBeDefined();
    expect(await charges(compute, id)).toHaveLength(1);
    expect(findCondition((await instanceOf(id))?.status?.conditions, 'Available')?.message).toContain('its machine is being deleted');
    await compute.eventually(() => serverOf(id), (server) => server === undefined);
    await until(compute, id, 'gone');
    expect(await charges(compute, id)).toEqual([]);
  });

  const states: readonly [string, (name: string) => Promise<string>][] = [
    ['whose server never came to be', (name) => bear(compute, { name, spec: { imageId: 'no-such-image' } }).then(async (id) => (await until(compute, id, 'Errored'), id))],
    ['that nobody has looked at yet', (name) => bear(compute, { name })],
    ['that is being built', (name) => turn({ build_ms: 60_000 }).then(() => bear(compute, { name })).then(async (id) => (await until(compute, id, 'Provisioning'), id))],
    ['whose machine is being replaced', (name) => provisioned(name).then(async (id) => (await turn({ delete_ms: 5_000 }), await change(compute, id, { flavorId: gpuFlavor }), await compute.world.advance(1_000), id))],
    ['that is paused', (name) => provisioned(name).then(async (id) => (await change(compute, id, { pause: true }), id))],
  ];
  it.each(states)('an instance %s leaves nothing behind', async (state, prepare) => {
    const id = await prepare(state.replaceAll(' ', '-'));
    await compute.store.delete(ComputeInstance, id);
    await until(compute, id, 'gone');
    expect(await serverOf(id)).toBeUndefined();
    expect(await charges(compute, id)).toEqual([]);
  });

  it('and create again gives the same id, and a new server', async () => {
    const id = await provisioned('again');
    await compute.store.delete(ComputeInstance, id);
    await until(compute, id, 'gone');
    expect(await provisioned('again')).toBe(id);
    expect(await charges(compute, id)).toHaveLength(1);
  });
});

describe('record `observedAt` and staleness', () => {
  it('is written with what is new, else when it is older than a minute, and never without being asked', async () => {
    const id = await provisioned('observed');
    const { observedAt } = (await instanceOf(id))?.status ?? {};
    const touch = (scheduledAt: string) => modifyStatus(compute.store, Server, id, ({ metadata, status }) => ({ metadata, status: { ...status, scheduledAt } }));
    writes = 0;
    await compute.world.advance(5_000);
    await touch('2026-01-01T00:00:01Z');
    await compute.world.settle();
    expect(writes).toBe(0);
    await compute.world.advance(61_000);
    await touch('2026-01-01T00:00:02Z');
    await compute.world.settle();
    expect(Date.parse((await instanceOf(id))?.status?.observedAt ?? '')).toBeGreaterThan(Date.parse(observedAt ?? ''));
  });
});

describe('the power state', () => {
  it('stays the one that was last told while its server cannot tell any', async () => {
    const id = await provisioned('speechless');
    const silent = { regionId: compute.regionId, networkId: compute.networkId, publicIP: '203.0.113.9' };
    between = (region) => ({ ...region, server: async (on, server) => region.server(on, server).then((found) => found && { ...found, status: silent }) });
    await modifyStatus(compute.store, Server, id, ({ metadata, status }) => ({ metadata, status: { ...status, scheduledAt: '2026-01-01T00:00:00Z' } }));
    await compute.world.settle();
    expect((await instanceOf(id))?.status).toMatchObject({ publicIp: '203.0.113.9', powerState: 'Running' });
  });
});

describe('region is asked with compute\'s own rights', () => {
  it('and whatever is asked is asked in the name of whom the instance belongs to', async () => {
    const asked: OnBehalf[] = [];
    between = (region) => ({
      ...region,
      server: (on, server) => (asked.push(on), region.server(on, server)),
      createServer: (on, server) => (asked.push(on), region.createServer(on, server)),
      updateServer: (on, server, body) => (asked.push(on), region.updateServer(on, server, body)),
      deleteServer: (on, server) => (asked.push(on), region.deleteServer(on, server)),
    });
    const id = await bear(compute, { name: 'principled' });
    await until(compute, id, 'Provisioned');
    await change(compute, id, { networking: { publicIp: true } });
    await until(compute, id, 'Provisioned');
    await compute.store.delete(ComputeInstance, id);
    await until(compute, id, 'gone');
    expect(calls).toEqual(['create principled', 'update principled', 'delete']);
    const owner = { organizationId: compute.organizationId, projectId: compute.projectId, actor: 'test' };
    for (const on of asked) expect(on).toEqual({ principal: owner, impersonate: false });
  });
});
