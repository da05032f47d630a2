import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import type { Explanation } from '@unikorn/core/explain';
import type { Kind } from '@unikorn/core/kinds';
import { modify } from '@unikorn/core/store';

import { openTenant, wire, type Tenant } from '../handlers/network-resources.fixture.ts';
import { Network, SecurityGroup } from '../kinds/index.ts';
import { standardFlavor, ubuntuImage } from '../providers/simulated/simulated.fixture.ts';
import { networkBody, startRegion, type RunningRegion } from '../testing/index.ts';

let region: RunningRegion;
let tenant: Tenant;
beforeAll(async () => {
  region = await startRegion();
  tenant = await openTenant(region, 'a region of its own');
  for (const kind of ['networks', 'loadbalancers']) await tenant.limit(kind, 1_000);
});
afterEach(() => tenant.turn({ service: 'up', places: {}, build_ms: 0, delete_ms: 0, image_ms: 0 }));
afterAll(() => region.stop());

const mentioning = (text: string): unknown => expect.stringContaining(text);
const explained = async (path: string) => (await tenant.ask('GET', `${path}/explain`)).body as Explanation;
/** The explanation, once its deepest problem is of this kind and state. */
const until = (path: string, kind: string, state: string) =>
  region.eventually(
    () => explained(path),
    ({ nodes: [first] }) => first?.kind === kind && first.state === state,
  );
/** The same for the second problem, while the cloud of the region is the first. */
const untilSecond = (path: string, kind: string, state: string) =>
  region.eventually(
    () => explained(path),
    ({ nodes: [first, second] }) => first?.kind === 'region' && second?.kind === kind && second.state === state,
  );
const made = async (path: string, spec: object) => wire(await tenant.create(path, spec)).metadata.id;
const begunNetwork = async () =>
  wire(await tenant.ask('POST', 'networks', networkBody({ ...tenant.scope, regionId: tenant.regionId }))).metadata.id;
const kindsOf = ({ nodes }: Explanation) => nodes.map(({ kind, state }) => `${kind} ${state}`);
/** The node of a kind. */
const nodeOf = ({ nodes }: Explanation, kind: string) => nodes.find((node) => node.kind === kind);
/** Removes a used object from the store, as a restore from an old backup does. */
const forgotten = async (kind: Kind, id: string) => {
  await region.store.delete(kind, id);
  await modify(region.store, kind, id, (object) => ({
    ...object,
    metadata: { ...object.metadata, finalizers: [] },
  })).catch(() => undefined);
};

describe('a network', () => {
  it('that is ready shows what it depends on', async () => {
    const id = await tenant.network();
    const explanation = await explained(`networks/${id}`);
    expect(explanation).toMatchObject({ ready: true, summary: 'the network is ready' });
    expect(kindsOf(explanation)).toEqual(['region ready', 'cloudIdentity ready', 'network ready']);
    expect(nodeOf(explanation, 'network')).toMatchObject({
      name: 'net',
      dependsOn: [{ kind: 'cloudIdentity', id }],
    });
    expect(nodeOf(explanation, 'cloudIdentity')?.dependsOn).toEqual([{ kind: 'region', id: tenant.regionId }]);
  });

  it('names the region as the cause while its cloud is out of service', async () => {
    await tenant.turn({ service: 'down' });
    const id = await begunNetwork();
    const { summary, nodes } = await untilSecond(`networks/${id}`, 'cloudIdentity', 'retrying');
    expect(nodes[0]).toMatchObject({
      kind: 'region',
      id: tenant.regionId,
      state: 'degraded',
      reason: 'Unreachable',
      message: mentioning('out of service'),
      unblockedBy: mentioning('wait until the cloud of the region answers'),
    });
    expect(nodes[1]).toMatchObject({
      id,
      message: mentioning('out of service'),
      attempts: expect.any(Number) as number,
      nextRetry: expect.any(String) as string,
      unblockedBy: 'wait until the cloud answers: it is retried automatically',
    });
    expect(summary).toMatch(/^region .*out of service/);
    await tenant.turn({ service: 'up' });
    await tenant.provisioned(`networks/${id}`);
  });

  it('that is ready stays ready while the cloud of its region is out of service', async () => {
    const id = await tenant.network();
    await tenant.turn({ service: 'down' });
    const { nodes } = await until(`networks/${id}`, 'region', 'degraded');
    expect(nodes[0]).toMatchObject({ message: mentioning('out of service') });
    expect(await explained(`networks/${id}`)).toMatchObject({ ready: true, summary: 'the network is ready' });
  });

  it('that is being deleted names what still uses it', async () => {
    const id = await tenant.network();
    await tenant.server(id);
    const group = await made('securitygroups', { networkId: id, rules: [] });
    await tenant.provisioned(`securitygroups/${group}`);
    await tenant.turn({ service: 'down' });
    await region.store.delete(Network, id, { propagation: 'foreground' });
    const explanation = await untilSecond(`networks/${id}`, 'holder', 'holding');
    expect(nodeOf(explanation, 'network')).toMatchObject({
      state: 'deleting',
      message: mentioning('it is being deleted, and waits for server'),
    });
    const holders = explanation.nodes.filter(({ kind }) => kind === 'holder').map(({ id: one }) => one);
    expect(holders).toContain(`securitygroups.region.unikorn-cloud.org/${group}`);
    expect(nodeOf(explanation, 'cloudIdentity')?.dependsOn).toEqual([{ kind: 'network', id }]);
  });
});

describe('a security group', () => {
  it('depends on its network, and waits for the cloud identity that the cloud refuses', async () => {
    await tenant.turn({ service: 'down' });
    const networkId = await begunNetwork();
    const id = await made('securitygroups', { networkId, rules: [] });
    const explanation = await untilSecond(`securitygroups/${id}`, 'cloudIdentity', 'retrying');
    expect(nodeOf(explanation, 'securityGroup')).toMatchObject({
      state: 'waiting',
      dependsOn: [
        { kind: 'network', id: networkId },
        { kind: 'cloudIdentity', id: networkId },
      ],
    });
  });

  it('that is being deleted names the server that uses it', async () => {
    const networkId = await tenant.network();
    const id = await made('securitygroups', { networkId, rules: [] });
    const server = await tenant.server(networkId, { securityGroups: [id] });
    await region.store.delete(SecurityGroup, id);
    const { nodes } = await until(`securitygroups/${id}`, 'holder', 'holding');
    expect(nodes[0]).toMatchObject({
      id: `servers.region.unikorn-cloud.org/${server}`,
      unblockedBy: mentioning('delete it'),
    });
  });
});

describe('a load balancer', () => {
  const listeners = (...addresses: readonly string[]) => [
    {
      name: 'web',
      protocol: 'tcp',
      port: 80,
      pool: {
        members: addresses.map((address) => ({ address, port: 80 })),
        healthCheck: { intervalSeconds: 5, timeoutSeconds: 1, healthyThreshold: 1, unhealthyThreshold: 1 },
      },
    },
  ];

  it('that is degraded names the member without a machine', async () => {
    const networkId = await tenant.network();
    const id = await made('loadbalancers', { networkId, listeners: listeners('10.0.0.200') });
    const explanation = await until(`loadbalancers/${id}`, 'member', 'missing');
    expect(explanation).toMatchObject({
      ready: false,
      summary: 'member 10.0.0.200: no machine in the network has this address',
    });
    expect(nodeOf(explanation, 'loadBalancer')).toMatchObject({
      state: 'degraded',
      message: '0 of 1 members answer',
      unblockedBy: mentioning('update the load balancer without them'),
      dependsOn: [
        { kind: 'network', id: networkId },
        { kind: 'member', id: '10.0.0.200' },
      ],
    });
  });

  it('does not blame its members while the cloud is out of service', async () => {
    const networkId = await tenant.network();
    await tenant.turn({ service: 'down' });
    const id = await made('loadbalancers', { networkId, listeners: listeners('10.0.0.200') });
    const { nodes } = await until(`loadbalancers/${id}`, 'loadBalancer', 'retrying');
    expect(nodes[0]?.message).toContain('out of service');
    expect(kindsOf({ nodes, ready: false, summary: '' }).slice(0, 2)).toEqual([
      'loadBalancer retrying',
      'member missing',
    ]);
  });
});

describe('file storage', () => {
  const body = (networkIds: readonly string[]) => ({
    ...tenant.scope,
    regionId: region.regionId,
    storageClassId: region.storageClassId,
    sizeGiB: 10,
    storageType: { NFS: { rootSquash: true } },
    attachments: { networkIds },
  });

  it('is degraded when one of its networks is gone, and says how to detach it', async () => {
    const networkId = wire(
      await tenant.ask('POST', 'networks', networkBody({ ...tenant.scope, regionId: region.regionId })),
    ).metadata.id;
    await tenant.provisioned(`networks/${networkId}`);
    const id = await made('filestorage', body([networkId]));
    await tenant.provisioned(`filestorage/${id}`);
    expect(kindsOf(await explained(`filestorage/${id}`))).toEqual([
      'region ready',
      'storageClass ready',
      'network ready',
      'fileStorage ready',
    ]);
    await forgotten(Network, networkId);
    const { nodes } = await until(`filestorage/${id}`, 'network', 'missing');
    expect(nodes[0]).toMatchObject({ id: networkId, unblockedBy: mentioning('no longer attached') });
  });

  it('waits for a cloud that is out of service', async () => {
    await region.operator(region.regionId).turn({ service: 'down' });
    const id = await made('filestorage', body([]));
    const { nodes } = await untilSecond(`filestorage/${id}`, 'fileStorage', 'retrying');
    await region.operator(region.regionId).turn({ service: 'up' });
    expect(nodes[1]).toMatchObject({ message: mentioning('out of service'), attempts: expect.any(Number) as number });
  });
});

describe('an image', () => {
  const images = () => `/api/v1/organizations/${tenant.scope.organizationId}/regions/${tenant.regionId}/images`;
  const ask = async (id: string) =>
    region.call('GET', `${images()}/${id}/explain`, { token: tenant.token }) as Promise<{
      status: number;
      body: unknown;
    }>;

  it('that is being fetched is progressing, and ready later', async () => {
    await tenant.turn({ image_ms: 60_000 });
    const os = { kernel: 'linux', family: 'debian', distro: 'debian', version: '13' };
    const uri = 'https://images.example.com/a.raw';
    const spec = { uri, architecture: 'x86_64', virtualization: 'any', os };
    const imported = await region.call('POST', images(), {
      token: tenant.token,
      body: { metadata: { name: 'mine' }, spec },
    });
    const { id } = wire(imported).metadata;
    expect((await ask(id)).body).toMatchObject({
      ready: false,
      nodes: [
        { kind: 'image', name: 'mine', state: 'progressing', dependsOn: [{ kind: 'region' }] },
        { kind: 'region', name: expect.stringMatching(/./) as string },
      ],
    });
    await region.eventually(
      () => ask(id),
      ({ body }) => (body as Explanation).ready,
    );
  });

  it('that does not exist is not explained', async () => {
    expect((await ask('f0000000-0000-4000-8000-00000000dead')).status).toBe(404);
  });

  it('of a region that never answered has an unknown state', async () => {
    await tenant.turn({ service: 'down' });
    const silent = await openTenant(region, 'a region of its own');
    await silent.turn({ service: 'down' });
    const path = `/api/v1/organizations/${silent.scope.organizationId}/regions/${silent.regionId}/images/${ubuntuImage}`;
    expect((await region.call('GET', `${path}/explain`, { token: silent.token })).body).toMatchObject({
      ready: false,
      nodes: [
        { kind: 'region', state: 'degraded', reason: 'Unreachable', message: mentioning('out of service') },
        { kind: 'image', state: 'waiting', reason: 'Unknown' },
      ],
    });
  });
});

describe('a server', () => {
  const operator = async (id: string) =>
    (await region.call('GET', `/api/v2/servers/${id}/explain`, { token: region.operatorToken })).body as Explanation;
  const first = (id: string, kind: string, state: string) =>
    region.eventually(
      () => operator(id),
      ({ nodes: [node] }) => node?.kind === kind && node.state === state,
    );
  const create = async (networkId: string, spec: object = {}) =>
    wire(
      await region.call('POST', '/api/v2/servers', {
        token: region.operatorToken,
        body: {
          metadata: { name: `vm-${region.world.uuid().slice(0, 8)}` },
          spec: { networkId, flavorId: standardFlavor, imageId: ubuntuImage, ...spec },
        },
      }),
    ).metadata.id;

  it('for which the cloud has no capacity says so, with everything that it depends on', async () => {
    const networkId = await tenant.network();
    await tenant.turn({ places: { [standardFlavor]: 0 } });
    const id = await create(networkId);
    const explanation = await first(id, 'providerResource', 'failed');
    expect(explanation.nodes[0]).toMatchObject({
      message: mentioning('the cloud has no capacity for another'),
      unblockedBy: mentioning('wait until the cloud has capacity'),
    });
    expect(kindsOf(explanation).toSorted()).toEqual([
      'cloudIdentity ready',
      'flavor ready',
      'image ready',
      'network ready',
      'providerResource failed',
      'region ready',
      'server failed',
    ]);
    expect(nodeOf(explanation, 'server')?.dependsOn).toEqual([{ kind: 'providerResource', id }]);
  });

  it('whose security group is gone says how to continue without it', async () => {
    const networkId = await tenant.network();
    const group = await made('securitygroups', { networkId, rules: [] });
    await tenant.turn({ service: 'down' });
    const id = await create(networkId, { networking: { securityGroups: [group] } });
    await forgotten(SecurityGroup, group);
    await tenant.turn({ service: 'up' });
    const { nodes } = await first(id, 'securityGroup', 'missing');
    expect(nodes[0]).toMatchObject({ id: group, unblockedBy: mentioning('no longer uses the security group') });
  });

  it('is not explained to users, who do not see servers', async () => {
    const id = await create(await tenant.network());
    expect((await tenant.ask('GET', `servers/${id}/explain`)).status).toBe(403);
  });
});

describe('a project', () => {
  it('that is being deleted names the network that the cloud does not delete', async () => {
    const leaving = await openTenant(region, 'a region of its own');
    await leaving.network();
    await leaving.turn({ service: 'down' });
    const { organizationId, projectId } = leaving.scope;
    const path = `/identity/api/v1/organizations/${organizationId}/projects/${projectId}`;
    const headers = { authorization: `Bearer ${leaving.token}` };
    await region.server.inject({ method: 'DELETE', url: path, headers });
    const look = async () => (await region.server.inject({ url: `${path}/explain`, headers })).json<Explanation>();
    const { nodes } = await region.eventually(look, ({ nodes: [first] }) => first?.kind === 'holder');
    expect(nodes[0]).toMatchObject({ name: 'network net', state: 'holding' });
    expect(nodes[1]).toMatchObject({
      kind: 'project',
      message: 'it is being deleted, and waits for network net',
      unblockedBy: mentioning('wait until everything in it is deleted'),
    });
  });
});
