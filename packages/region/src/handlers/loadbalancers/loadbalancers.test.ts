import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { modifyStatus } from '@unikorn/core/store';

import { LoadBalancer, Server } from '../../kinds/index.ts';
import { standardFlavor, ubuntuImage } from '../../providers/simulated/simulated.fixture.ts';
import { networkBody, startRegion, type RunningRegion } from '../../testing/index.ts';
import { idsOf, nowhere, openTenant, reasonOf, wire } from '../network-resources.fixture.ts';

const web = { name: 'web', protocol: 'tcp', port: 80, pool: { members: [] } };
const dns = { name: 'dns', protocol: 'udp', port: 53, pool: { members: [] } };

let running: RunningRegion;
beforeAll(async () => {
  running = await startRegion();
});
afterAll(() => running.stop());

/** A tenant with a network, and ways to write load balancers in it. */
async function opened(where?: Parameters<typeof openTenant>[1]) {
  const tenant = await openTenant(running, where);
  const networkId = await tenant.network();
  const create = (spec: object = {}, metadata?: object) =>
    tenant.create('loadbalancers', { networkId, listeners: [web], ...spec }, metadata);
  const change = (id: string, spec: object = {}, metadata: object = {}) =>
    tenant.ask('PUT', `loadbalancers/${id}`, {
      metadata: { name: 'web', ...metadata },
      spec: { listeners: [web], ...spec },
    });
  const made = async (spec?: object) => {
    const { id } = wire(await create(spec)).metadata;
    return { id, path: `loadbalancers/${id}`, read: await tenant.provisioned(`loadbalancers/${id}`) };
  };
  const costs = async () => ({
    loadbalancers: await tenant.charged('loadbalancers'),
    publicips: await tenant.charged('publicips'),
  });
  return { ...tenant, networkId, create, change, made, costs };
}

describe('a load balancer', () => {
  let tenant: Awaited<ReturnType<typeof opened>>;
  beforeAll(async () => {
    tenant = await opened();
  });

  it('is pending without addresses at first, then has a private and a public address, and is charged', async () => {
    const created = await tenant.create({ publicIP: true, listeners: [{ ...web, allowedCidrs: ['0.0.0.0/0'] }, dns] });
    expect(created).toMatchObject({
      status: 201,
      body: { metadata: { ...tenant.scope, provisioningStatus: 'pending' }, spec: { publicIP: true } },
    });
    expect(wire(created).status).toEqual({ regionId: tenant.regionId, networkId: tenant.networkId });
    const { id } = wire(created).metadata;
    const { spec, status, metadata } = await tenant.provisioned(`loadbalancers/${id}`);
    expect(status).toMatchObject({
      vipAddress: expect.stringMatching(/^10\.0\.0\./) as string,
      publicIP: expect.any(String) as string,
    });
    expect(spec['listeners']).toEqual([
      { ...web, allowedCidrs: ['0.0.0.0/0'], idleTimeoutSeconds: 60, pool: { proxyProtocolV2: false, members: [] } },
      { ...dns, pool: { proxyProtocolV2: false, members: [] } },
    ]);
    expect(metadata).toMatchObject({ healthStatus: 'healthy', healthStatusDetail: { message: 'it has no members' } });
    expect(await tenant.costs()).toEqual({ loadbalancers: 1, publicips: 1 });
  });

  it('keeps its private address when its public one is removed, which is then no longer shown or charged', async () => {
    const { id, path, read } = await tenant.made();
    const before = await tenant.costs();
    await tenant.change(id, { publicIP: true });
    const withPublic = wire(await tenant.until(path, ({ body }) => wire({ body }).status?.['publicIP'] !== undefined));
    expect(withPublic.status?.['vipAddress']).toBe(read.status?.['vipAddress']);
    expect(await tenant.costs()).toEqual({ ...before, publicips: before.publicips + 1 });
    expect(await tenant.change(id)).toMatchObject({ status: 202, body: { spec: { publicIP: false } } });
    const without = wire(await tenant.until(path, ({ body }) => wire({ body }).status?.['publicIP'] === undefined));
    expect(without.status?.['vipAddress']).toBe(read.status?.['vipAddress']);
    expect(await tenant.costs()).toEqual(before);
    await tenant.ask('DELETE', path);
    await tenant.gone(path);
  });

  it('is replaced by an update, which keeps its author, pause and requested address, and clears what it omits', async () => {
    const { id } = wire(
      await tenant.create({ vipAddress: '10.0.0.222' }, { description: 'mine', tags: [{ name: 'a', value: 'b' }] }),
    ).metadata;
    await tenant.provisioned(`loadbalancers/${id}`);
    const before = await running.store.get(LoadBalancer, id);
    if (before)
      await running.store.update(LoadBalancer, { metadata: before.metadata, spec: { ...before.spec, pause: false } });
    const answer = await tenant.change(id, {}, { name: 'other' });
    expect(answer).toMatchObject({
      status: 202,
      body: {
        metadata: { name: 'other', modifiedBy: expect.any(String) as string },
        status: { vipAddress: '10.0.0.222' },
      },
    });
    for (const cleared of ['description', 'tags']) expect(wire(answer).metadata).not.toHaveProperty(cleared);
    const after = await running.store.get(LoadBalancer, id);
    expect(after?.spec).toMatchObject({ pause: false, requestedVIPAddress: '10.0.0.222' });
    expect(after?.metadata.ownerReferences).toEqual(before?.metadata.ownerReferences);
    expect(wire(answer).metadata['createdBy']).toBe(
      wire(await tenant.ask('GET', `loadbalancers/${id}`)).metadata['createdBy'],
    );
    await tenant.ask('DELETE', `loadbalancers/${id}`);
    await tenant.gone(`loadbalancers/${id}`);
  });

  it('cannot turn a listener into another one, but can rename it on the same port', async () => {
    const { id, path } = await tenant.made();
    expect(await tenant.change(id, { listeners: [dns, { ...web, port: 81 }] })).toMatchObject({
      status: 422,
      body: { error_description: expect.stringContaining('spec.listeners.1.port') as string },
    });
    expect(await tenant.change(id, { listeners: [{ ...web, name: 'site' }] })).toMatchObject({
      status: 202,
      body: { spec: { listeners: [{ name: 'site', port: 80 }] } },
    });
    const read = await tenant.provisioned(path);
    expect(read.spec['listeners']).toMatchObject([{ name: 'site' }]);
    await tenant.ask('DELETE', path);
    await tenant.gone(path);
  });

  it('gets the requested address, unless that is reserved, outside the network, or in use', async () => {
    const first = await tenant.made({ vipAddress: '10.0.0.200' });
    expect(first.read.status?.['vipAddress']).toBe('10.0.0.200');
    const server = await tenant.server(tenant.networkId);
    await modifyStatus(running.store, Server, server, (stored) => ({
      ...stored,
      status: { ...stored.status, privateIP: '10.0.0.201' },
    }));
    const asking = async (vipAddress: string) => {
      const answer = await tenant.create({ vipAddress });
      return [answer.status, reasonOf(answer)] as const;
    };
    expect(await asking('10.0.0.200')).toEqual([422, expect.stringContaining('10.0.0.200 is in use')]);
    expect(await asking('10.0.0.201')).toEqual([422, expect.stringContaining('10.0.0.201 is in use')]);
    expect(await asking('10.0.0.1')).toEqual([422, expect.stringContaining('is reserved')]);
    expect(await asking('10.9.0.1')).toEqual([422, expect.stringContaining('is not in the network')]);
    expect((await asking('10.0.0'))[0]).toBe(400);
    await running.store.delete(Server, server);
    await tenant.ask('DELETE', first.path);
    await tenant.gone(first.path);
  });

  it('cannot be created without the rights to read the network and to create, or in a network that is being deleted', async () => {
    expect((await tenant.create({ networkId: nowhere })).status).toBe(404);
    expect(
      (await (await openTenant(running)).create('loadbalancers', { networkId: tenant.networkId, listeners: [web] }))
        .status,
    ).toBe(404);
    expect((await tenant.create({ listeners: [] })).status).toBe(400);
    const reader = await running.found.robot(tenant.scope.organizationId, ['auditor']);
    const body = { metadata: { name: 'web' }, spec: { networkId: tenant.networkId, listeners: [web] } };
    expect((await running.call('POST', '/api/v2/loadbalancers', { token: reader.token, body })).status).toBe(403);
    const leaving = await tenant.network('10.1.0.0/24');
    await tenant.turn({ service: 'down' });
    await tenant.ask('DELETE', `networks/${leaving}`);
    expect((await tenant.create({ networkId: leaving })).status).toBe(422);
    await tenant.turn({ service: 'up' });
  });

  it('is listed for callers who may read it, filtered by network', async () => {
    const other = await tenant.network('10.2.0.0/24');
    const { id } = wire(await tenant.create({ networkId: other })).metadata;
    expect(idsOf(await tenant.ask('GET', `loadbalancers?networkID=${other}`))).toEqual([id]);
    expect(idsOf(await tenant.ask('GET', 'loadbalancers'))).toContain(id);
    const stranger = await openTenant(running);
    expect(await stranger.ask('GET', 'loadbalancers')).toMatchObject({ status: 200, body: [] });
    expect((await stranger.ask('GET', `loadbalancers/${id}`)).status).toBe(404);
  });
});

describe('the charge of a load balancer', () => {
  it('is refused beyond the quota, and then nothing is charged or created', async () => {
    const { limit, create, costs, ask } = await opened();
    await limit('loadbalancers', 1);
    expect([(await create()).status, (await create()).status]).toEqual([201, 403]);
    expect(await costs()).toEqual({ loadbalancers: 1, publicips: 0 });
    expect(idsOf(await ask('GET', 'loadbalancers'))).toHaveLength(1);
  });

  it('stays the same, like the load balancer, when a change would exceed the quota', async () => {
    const { limit, made, change, costs, ask } = await opened();
    await limit('publicips', 0);
    const { id, path } = await made();
    const before = await ask('GET', path);
    expect((await change(id, { publicIP: true, listeners: [web, dns] })).status).toBe(403);
    expect(wire(await ask('GET', path))).toEqual(wire(before));
    expect(await costs()).toEqual({ loadbalancers: 1, publicips: 0 });
  });

  it('is released only after the cloud has deleted it', async () => {
    const { made, ask, until, gone, costs, turn } = await opened('a region of its own');
    const { path } = await made({ publicIP: true });
    await turn({ loadBalancer_ms: 30_000 });
    expect([(await ask('DELETE', path)).status, (await ask('DELETE', path)).status]).toEqual([202, 202]);
    expect(await ask('PUT', path, { metadata: { name: 'late' }, spec: { listeners: [web] } })).toMatchObject({
      status: 422,
      body: { error_description: expect.stringContaining('is being deleted') as string },
    });
    await until(path, ({ body }) => JSON.stringify(body).includes('the load balancer is being deleted'));
    expect(await costs()).toEqual({ loadbalancers: 1, publicips: 1 });
    await gone(path);
    expect(await costs()).toEqual({ loadbalancers: 0, publicips: 0 });
  });

  it('is released when it is deleted with its network', async () => {
    const { networkId, create, ask, gone, costs } = await opened();
    await create({ publicIP: true });
    await ask('DELETE', `networks/${networkId}`);
    await gone(`networks/${networkId}`);
    expect([await costs(), idsOf(await ask('GET', 'loadbalancers'))]).toEqual([{ loadbalancers: 0, publicips: 0 }, []]);
  });
});

describe('in a cloud that is slow or fails, a load balancer', () => {
  it('says what it waits for, and can be deleted while it is being built', async () => {
    const { create, ask, until, gone, costs, turn, cloud, identityOf, networkId } = await opened('a region of its own');
    await turn({ loadBalancer_ms: 60_000 });
    const { id } = wire(await create({ publicIP: true })).metadata;
    const path = `loadbalancers/${id}`;
    await until(path, ({ body }) => JSON.stringify(body).includes('the load balancer is being changed'));
    await ask('DELETE', path);
    await gone(path);
    expect(await cloud.loadBalancers.list(await identityOf(networkId))).toEqual([]);
    expect(await costs()).toEqual({ loadbalancers: 0, publicips: 0 });
  });

  it('can be deleted before it exists in the cloud', async () => {
    const { create, ask, gone, turn, costs } = await opened('a region of its own');
    await turn({ service: 'down' });
    const { id } = wire(await create()).metadata;
    await ask('DELETE', `loadbalancers/${id}`);
    await turn({ service: 'up' });
    await gone(`loadbalancers/${id}`);
    expect(await costs()).toEqual({ loadbalancers: 0, publicips: 0 });
  });

  it('waits for its network, and is created as soon as that is ready', async () => {
    const { create, ask, until, provisioned, scope, regionId, turn } = await opened('a region of its own');
    await turn({ service: 'down' });
    const { id: networkId } = wire(
      await ask('POST', 'networks', networkBody({ ...scope, regionId }, { prefix: '10.3.0.0/24' })),
    ).metadata;
    const { id } = wire(await create({ networkId })).metadata;
    const waiting = await until(
      `loadbalancers/${id}`,
      ({ body }) => wire({ body }).metadata['provisioningStatus'] === 'provisioning',
    );
    expect(wire(waiting).metadata['provisioningStatusDetail']).toMatchObject({
      reason: 'DependencyNotReady',
      message: expect.stringContaining(networkId) as string,
    });
    await turn({ service: 'up' });
    await provisioned(`networks/${networkId}`);
    const before = running.world.now();
    await provisioned(`loadbalancers/${id}`);
    expect(running.world.now() - before).toBeLessThan(1_000);
  });

  it('exists once however often responses are lost, and leaves nothing behind', async () => {
    const { create, change, ask, gone, costs, provisioned, turn, cloud, identityOf, networkId } =
      await opened('a region of its own');
    const identity = await identityOf(networkId);
    const bad = { errorRate: 0.3, lostResponseRate: 0.3 };
    const good = { errorRate: 0, lostResponseRate: 0 };
    await turn(bad);
    const { id } = wire(await create({ publicIP: true })).metadata;
    const made = await provisioned(`loadbalancers/${id}`);
    await change(id, { publicIP: true, listeners: [web, dns] });
    await turn(good);
    const seen = await running.eventually(
      () => cloud.loadBalancers.list(identity),
      ([first]) => first?.presence.state === 'present',
    );
    expect(seen).toMatchObject([{ id, presence: { observed: { vipAddress: made.status?.['vipAddress'] } } }]);
    expect(await costs()).toEqual({ loadbalancers: 1, publicips: 1 });
    await turn(bad);
    await ask('DELETE', `loadbalancers/${id}`);
    await gone(`loadbalancers/${id}`);
    await turn(good);
    expect(await cloud.loadBalancers.list(identity)).toEqual([]);
    expect(await costs()).toEqual({ loadbalancers: 0, publicips: 0 });
  });
});

describe('the health of a load balancer', () => {
  it('follows its members, and is checked again when the server of a member changes', async () => {
    const { made, until, server, networkId, cloud, identityOf } = await opened('a region of its own');
    const { store, world, eventually } = running;
    const id = await server(networkId);
    const started = await eventually(
      () => store.get(Server, id),
      (stored) => stored?.status?.privateIP !== undefined,
    );
    const address = started?.status?.privateIP ?? '';
    const { path } = await made({
      listeners: [{ ...web, pool: { members: [{ address, port: 80 }], healthCheck: {} } }],
    });
    const healthy = await until(path, ({ body }) => wire({ body }).metadata['healthStatus'] === 'healthy');
    expect(wire(healthy).metadata['healthStatusDetail']).toMatchObject({ message: '1 of 1 members answer' });
    await cloud.servers.power(await identityOf(networkId), { id, name: 'vm' }, 'stop');
    await modifyStatus(store, Server, id, (stored) => ({
      ...stored,
      status: { ...stored.status, phase: 'Stopping' as const },
    }));
    const before = world.now();
    const degraded = await until(path, ({ body }) => wire({ body }).metadata['healthStatus'] === 'degraded');
    expect(wire(degraded).metadata['healthStatusDetail']).toMatchObject({ message: '0 of 1 members answer' });
    expect(world.now() - before).toBeLessThan(1_000);
  });

  it('is checked periodically, because only the cloud knows when a member stops answering', async () => {
    const { made, until, networkId, cloud, identityOf } = await opened('a region of its own');
    const { world, eventually } = running;
    const identity = await identityOf(networkId);
    // The platform has no server with this address, so no event wakes the load balancer.
    const machine = {
      id: 'a0000000-0000-4000-8000-000000000001',
      name: 'vm',
      networkId,
      flavorId: standardFlavor,
      imageId: ubuntuImage,
      publicIP: 'unwanted',
      securityGroupIds: [],
      allowedAddressPairs: [],
      keyPair: 'none',
      metadata: {},
    } as const;
    const started = await eventually(
      () => cloud.servers.ensure(identity, machine),
      ({ state }) => state === 'present',
    );
    const address = started.observed.privateIP ?? '';
    const { path } = await made({
      listeners: [{ ...web, pool: { members: [{ address, port: 80 }], healthCheck: {} } }],
    });
    await until(path, ({ body }) => wire({ body }).metadata['healthStatus'] === 'healthy');
    await cloud.servers.power(identity, machine, 'stop');
    const before = world.now();
    await until(path, ({ body }) => wire({ body }).metadata['healthStatus'] === 'degraded');
    expect(world.now() - before).toBeLessThan(100_000);
  });
});
