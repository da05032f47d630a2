import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { labels } from '@unikorn/core/resource';

import { Network, Server } from '../kinds/index.ts';
import { identityOf } from '../placement.ts';
import { simulatedProvider } from '../providers/simulated/index.ts';
import { startRegion, type RunningRegion } from '../testing/index.ts';

const flavorId = '11111111-1111-1111-1111-111111111111';
const imageId = '33333333-3333-3333-3333-333333333333';
const minutes = 60_000;
const kinds = ['network', 'securityGroup', 'loadBalancer'] as const;

let region: RunningRegion;
beforeAll(async () => {
  region = await startRegion();
});
afterAll(() => region.stop());

async function made(path: string, body: object): Promise<string> {
  const answer = await region.call('POST', path, { token: region.operatorToken, body });
  expect(answer).toMatchObject({ status: 201 });
  return (answer.body as { metadata: { id: string } }).metadata.id;
}

async function read(
  path: string,
): Promise<{ metadata: { provisioningStatus: string; healthStatus: string }; status: Record<string, unknown> }> {
  return (await region.call('GET', path, { token: region.operatorToken })).body as never;
}

const provisioned = (path: string) =>
  region.eventually(
    () => read(path),
    ({ metadata }) => metadata.provisioningStatus === 'provisioned',
  );

async function network(): Promise<string> {
  const { organizationId, projectId, regionId } = region;
  const id = await made('/api/v2/networks', {
    metadata: { name: 'net' },
    spec: { organizationId, projectId, regionId, prefix: '10.0.0.0/16', dnsNameservers: [] },
  });
  await provisioned(`/api/v2/networks/${id}`);
  return id;
}

async function servers(networkId: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number++)
    ids.push(
      await made('/api/v2/servers', { metadata: { name: `server-${number}` }, spec: { networkId, flavorId, imageId } }),
    );
  for (const id of ids)
    await region.eventually(
      () => read(`/api/v2/servers/${id}`),
      ({ status }) => status['powerState'] === 'Running',
    );
  return ids;
}

const drift = async (kind: string, id: string, what = 'deleted') => {
  expect(
    await region.call('POST', `/api/v2/regions/${region.regionId}/simulation/drift`, {
      token: region.operatorToken,
      body: { kind, id, drift: what },
    }),
  ).toMatchObject({ status: 202 });
};

/** The resources of a network in the cloud, by type. */
async function inCloud(networkId: string) {
  const stored = await region.store.get(Network, networkId);
  if (!stored) throw new Error('the network is gone');
  const identity = identityOf(stored.metadata);
  const cloud = simulatedProvider({
    store: region.store,
    world: region.world,
    regionId: stored.metadata.labels?.[labels.region] ?? '',
  });
  return {
    servers: await cloud.servers.list(identity),
    network: await cloud.networks.list(identity),
    securityGroup: await cloud.securityGroups.list(identity),
    loadBalancer: await cloud.loadBalancers.list(identity),
  };
}

async function incarnations(networkId: string): Promise<Record<string, string>> {
  return Object.fromEntries(
    (await inCloud(networkId)).servers.map(({ id, presence }) => [id, presence.observed.providerId]),
  );
}

describe('a resource that is deleted directly in the cloud', () => {
  it('is created again by the next reconcile: a network, a security group, a load balancer', async () => {
    const networkId = await network();
    const listeners = [{ name: 'web', protocol: 'tcp', port: 80, pool: { members: [] } }];
    const ids = {
      network: networkId,
      securityGroup: await made('/api/v2/securitygroups', {
        metadata: { name: 'web' },
        spec: { networkId, rules: [] },
      }),
      loadBalancer: await made('/api/v2/loadbalancers', {
        metadata: { name: 'web' },
        spec: { networkId, publicIP: false, listeners },
      }),
    };
    await provisioned(`/api/v2/loadbalancers/${ids.loadBalancer}`);
    for (const kind of kinds) await drift(kind, ids[kind]);
    const lost = await inCloud(networkId);
    for (const kind of kinds) expect(lost[kind]).toEqual([]);
    await region.world.advance(20 * minutes);
    const again = await inCloud(networkId);
    for (const kind of kinds) expect(again[kind]).toMatchObject([{ id: ids[kind] }]);
  });

  it('is searched first if it is a server, and then created again once with the same id', async () => {
    const networkId = await network();
    const [id = ''] = await servers(networkId, 5);
    const before = await incarnations(networkId);
    await drift('server', id);
    const missed = await region.eventually(
      () => region.store.get(Server, id),
      (server) => server?.status?.missingSince !== undefined,
    );
    expect(missed?.status).not.toHaveProperty('lostAt');
    expect(Object.keys(await incarnations(networkId))).not.toContain(id);
    await region.world.advance(4 * minutes);
    const after = await incarnations(networkId);
    expect(after).toEqual({ ...before, [id]: after[id] });
    expect(after[id]).not.toBe(before[id]);
    await region.eventually(
      () => read(`/api/v2/servers/${id}`),
      ({ metadata, status }) =>
        metadata.provisioningStatus === 'provisioned' &&
        metadata.healthStatus === 'healthy' &&
        status['powerState'] === 'Running',
    );
  });
});

describe('a monitored cloud', () => {
  it('that shows no servers for a while causes no new servers and no status changes', async () => {
    const networkId = await network();
    const ids = await servers(networkId, 6);
    const before = await incarnations(networkId);
    await region.operator(region.regionId).turn({ notFoundRate: 1 });
    await region.world.advance(5 * minutes);
    for (const id of ids) expect((await region.store.get(Server, id))?.status).not.toHaveProperty('missingSince');
    await region.operator(region.regionId).turn({ notFoundRate: 0 });
    await region.world.advance(2 * minutes);
    expect(await incarnations(networkId)).toEqual(before);
    for (const id of ids)
      expect(await read(`/api/v2/servers/${id}`)).toMatchObject({
        metadata: { provisioningStatus: 'provisioned', healthStatus: 'healthy' },
        status: { powerState: 'Running' },
      });
  });

  it('that was unavailable has its changes noticed afterwards', async () => {
    const networkId = await network();
    const [id = ''] = await servers(networkId, 2);
    await region.operator(region.regionId).turn({ service: 'down' });
    await drift('server', id, 'stopped');
    await region.world.advance(5 * minutes);
    expect(await read(`/api/v2/servers/${id}`)).toMatchObject({ status: { powerState: 'Running' } });
    await region.operator(region.regionId).turn({ service: 'up' });
    await region.eventually(
      () => read(`/api/v2/servers/${id}`),
      ({ status }) => status['powerState'] === 'Stopped',
    );
  });

  it('whose host failed has the server in error, and the server stays the same', async () => {
    const networkId = await network();
    const [id = ''] = await servers(networkId, 1);
    const before = await incarnations(networkId);
    await drift('server', id, 'failed');
    await region.eventually(
      () => read(`/api/v2/servers/${id}`),
      ({ metadata }) => metadata.healthStatus === 'error',
    );
    await region.world.advance(5 * minutes);
    expect(await incarnations(networkId)).toEqual(before);
  });
});
