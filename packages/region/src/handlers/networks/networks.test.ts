import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { encodePrincipal } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';
import { IdempotencyRecord } from '@unikorn/core/http';
import { limits } from '@unikorn/core/limits';
import { annotations, finalizers, labels } from '@unikorn/core/resource';
import { addReference, removeReference } from '@unikorn/core/references';
import { modify } from '@unikorn/core/store';
import { isWrite, type Around } from '@unikorn/core/testing';
import { Project } from '@unikorn/identity/kinds';
import { certificateHeaders } from '@unikorn/identity/testing';

import { Identity, LoadBalancer, Network, Server } from '../../kinds/index.ts';
import { leftBehind, networkBody, startRegion, type RunningRegion } from '../../testing/index.ts';
import { metadataInNetwork } from '../project-resources.ts';

interface Wire {
  readonly metadata: Readonly<Record<string, unknown>> & { readonly id: string };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>>;
}

const nobody = 'f0000000-0000-4000-8000-00000000dead';
const untouched: Around = (_call, happen) => happen();

let region: RunningRegion;
/** The interposed calls between the services and their store in this test. */
let around = untouched;

beforeAll(async () => {
  const nothing = () => Promise.resolve([]);
  region = await startRegion({
    around: (call, happen) => around(call, happen),
    providers: { kubernetes: () => ({ tier: 'inventory', provider: { flavors: nothing, volumeClasses: nothing } }) },
  });
});
afterAll(() => region.stop());
afterEach(async () => {
  around = untouched;
  for (const { metadata } of (await region.store.list(Identity)).items)
    await region.store.delete(Identity, metadata.name, { propagation: 'foreground' });
  await nothingLeft();
});

const create = (spec: object = {}, metadata: object = {}) =>
  region.call('POST', '/api/v2/networks', { body: networkBody(region, spec, metadata) });
const nothingLeft = () =>
  region.eventually(
    () => leftBehind(region.store),
    (left) => left.length === 0,
  );
const read = async (id: string) => (await region.call('GET', `/api/v2/networks/${id}`)).body as Wire;
const remove = (id: string) => region.call('DELETE', `/api/v2/networks/${id}`);

async function created(spec: object = {}, metadata: object = {}): Promise<Wire> {
  const answer = await create(spec, metadata);
  expect(answer.status).toBe(201);
  return answer.body as Wire;
}

it('a creation with an idempotency key that runs again finds its network', async () => {
  let lost = 0;
  // The first process cannot store the answer, and never renews its claim again.
  around = (call, happen) => {
    if (call.kind !== IdempotencyRecord || call.verb !== 'updateStatus' || lost > 0) return happen();
    lost += 1;
    return Promise.reject(new Problem('storage_unavailable', 'the API server does not answer'));
  };
  const post = () =>
    region.call('POST', '/api/v2/networks', {
      body: networkBody(region),
      headers: { 'idempotency-key': 'interrupted' },
    });
  const first = await post();
  expect([first.status, lost]).toEqual([201, 1]);
  expect((await post()).status).toBe(409);
  await region.world.advance(limits.lease_ms);
  const second = await post();
  expect(second.status).toBe(201);
  expect((second.body as Wire).metadata.id).toBe((first.body as Wire).metadata.id);
  expect((await region.store.list(Network)).items).toHaveLength(1);
  expect((await region.store.list(Identity)).items).toHaveLength(1);
});

function standing(id: string, status: string): Promise<Wire> {
  return region.eventually(
    () => read(id),
    ({ metadata }) => metadata['provisioningStatus'] === status,
  );
}

/** The id of a provisioned network. */
async function provisioned(): Promise<string> {
  const { id } = (await created()).metadata;
  await standing(id, 'provisioned');
  return id;
}

async function stored(id: string): Promise<Network> {
  const network = await region.store.get(Network, id);
  if (!network) throw new Error(`network ${id} is not stored`);
  return network;
}

function described(status: number, text: string) {
  return { status, body: { error_description: expect.stringContaining(text) as string } };
}

describe('creating a network', () => {
  it('is answered with the request, and is provisioned and healthy later', async () => {
    const { organizationId, projectId, regionId } = region;
    const routes = [{ prefix: '192.168.0.0/16', nexthop: '172.16.0.9' }];
    const tags = [{ name: 'a', value: 'b' }];
    const network = await created({ dnsNameservers: ['1.1.1.1'], routes }, { description: 'd', tags });
    expect(network).toMatchObject({
      metadata: {
        name: 'net',
        description: 'd',
        tags,
        organizationId,
        projectId,
        provisioningStatus: 'pending',
        healthStatus: 'unknown',
      },
      spec: { dnsNameservers: ['1.1.1.1'], routes },
      status: { regionId, prefix: '10.0.0.0/24', reservations: { prefixLength: 25, providerReservedPrefixLength: 28 } },
    });
    expect((await standing(network.metadata.id, 'provisioned')).metadata).toMatchObject({ healthStatus: 'healthy' });
  });

  it('keeps its reservations, and omits empty routes', async () => {
    const { spec, status } = await created({ prefix: '10.1.0.0/16', reservations: { prefixLength: 20 }, routes: [] });
    expect(status).toEqual({ regionId: region.regionId, prefix: '10.1.0.0/16', reservations: { prefixLength: 20 } });
    expect(spec).toEqual({ dnsNameservers: [] });
  });

  it('stores a network that a principal of the same project owns, and then the result of the cloud', async () => {
    const { regionId, organizationId, projectId, store } = region;
    const network = await stored(await provisioned());
    const identityId = network.metadata.labels?.[labels.identity] ?? '';
    const place = {
      [labels.region]: regionId,
      [labels.organization]: organizationId,
      [labels.project]: projectId,
      [labels.principalOrganization]: organizationId,
      [labels.principalProject]: projectId,
    };
    expect(network.metadata).toMatchObject({
      labels: { ...place, [labels.apiVersion]: '2' },
      ownerReferences: [{ name: identityId, blockOwnerDeletion: true }],
    });
    expect(network.status?.provider).toMatchObject({
      gatewayIP: '10.0.0.1',
      vlanId: expect.any(Number) as number,
      storageRange: { startIP: '10.0.0.16', endIP: '10.0.0.127' },
    });
    expect(await store.get(Identity, identityId)).toMatchObject({
      metadata: { labels: { ...place, [labels.name]: 'networkv2-service-principal' } },
      spec: { provider: 'simulated' },
    });
  });

  it.each([
    [400, 'spec.prefix', { prefix: 'fd00::/64' }],
    [400, 'spec.prefix', { prefix: '10.0.0.0' }],
    [400, 'spec.prefix: must be /24 or shorter', { prefix: '10.0.0.0/25' }],
    [400, 'spec.prefix: 10.2.0.5/24 has host bits set; did you mean 10.2.0.0/24?', { prefix: '10.2.0.5/24' }],
    [422, 'spec.reservations.prefixLength', { reservations: { prefixLength: 24 } }],
    [
      422,
      'spec.reservations.providerReservedPrefixLength',
      { reservations: { prefixLength: 26, providerReservedPrefixLength: 25 } },
    ],
    [400, 'spec.reservations.prefixLength', { reservations: { prefixLength: 31 } }],
    [400, 'spec.dnsNameservers.0', { dnsNameservers: ['2606:4700::1111'] }],
    [400, 'spec.dnsNameservers', { dnsNameservers: Array.from({ length: 17 }, () => '1.1.1.1') }],
    [
      400,
      'spec.routes.1.prefix',
      {
        routes: [
          { prefix: '10.0.0.0/8', nexthop: '10.0.0.1' },
          { prefix: 'fd00::/8', nexthop: '10.0.0.1' },
        ],
      },
    ],
    [400, 'spec.routes.0.nexthop', { routes: [{ prefix: '10.0.0.0/8', nexthop: 'fd00::1' }] }],
    [400, 'spec.projectId', { projectId: 'nonsense' }],
    [400, 'spec.organizationId', { organizationId: 'nonsense' }],
    [404, `region ${nobody} does not exist`, { regionId: nobody }],
    [404, `project ${nobody} does not exist`, { projectId: nobody }],
    [403, 'do not allow create', { organizationId: nobody }],
  ])('is refused with %i and "%s"', async (status, text, spec) => {
    expect(await create(spec)).toMatchObject(described(status, text));
  });

  it('is refused for reserved tags', async () => {
    expect(await create({}, { tags: [{ name: 'compute.unikorn-cloud.org/instance-id', value: 'x' }] })).toMatchObject(
      described(400, 'reserved'),
    );
  });

  it('is refused in a region that is not a cloud', async () => {
    const regionId = await region.openRegion({
      provider: 'kubernetes',
      kubernetes: { kubeConfigSecret: { namespace: 'n', name: 'n' }, domainName: 'example.com', nodes: [] },
    });
    expect(await create({ regionId })).toMatchObject(described(400, 'choose another region'));
  });

  it('works in a private region for its owner, and for others that region does not exist', async () => {
    const { openRegion, organizationId, found } = region;
    const own = await openRegion({ security: { organizations: [{ id: organizationId }] } });
    const foreign = await openRegion({ security: { organizations: [{ id: await found.organization() }] } });
    expect((await create({ regionId: own })).status).toBe(201);
    expect(await create({ regionId: foreign })).toMatchObject(described(404, `region ${foreign} does not exist`));
  });

  it('is refused in a project that is being deleted', async () => {
    const { store, world, found, organizationId } = region;
    const [projectId, holder] = [await found.project(organizationId), 'things.example.com/held'];
    await addReference({ store, world }, Project, { name: projectId }, { reference: holder });
    await store.delete(Project, projectId);
    expect(await create({ projectId })).toMatchObject(described(422, 'is being deleted'));
    await removeReference(store, Project, projectId, holder);
  });

  it('repeated with the same key creates one', async () => {
    const once = () =>
      region.call('POST', '/api/v2/networks', { body: networkBody(region), headers: { 'idempotency-key': 'k' } });
    expect((await once()).body).toEqual((await once()).body);
    expect((await region.store.list(Network)).items).toHaveLength(1);
  });

  it('by many concurrent requests never exceeds the quota, and leaves nothing of the refused ones', async () => {
    const answers = await Promise.all(Array.from({ length: 9 }, () => create()));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(5).fill(201),
      ...Array<number>(4).fill(403),
    ]);
    expect((await region.store.list(Identity)).items).toHaveLength(5);
    expect((await leftBehind(region.store)).filter((left) => left.startsWith('Allocation'))).toHaveLength(5);
  });

  it('that fails at any write leaves nothing, or succeeded', async () => {
    let writes = 0;
    for (let fatal = 1, refused = true; refused; fatal++) {
      writes = 0;
      around = async (call, happen) => {
        // Controllers also write, and retry. Only the writes of the request count.
        if (isWrite(call) && ++writes === fatal) throw new Problem('storage_unavailable', 'this write fails');
        return happen();
      };
      const answer = await create();
      around = untouched;
      if (answer.status !== 201) await nothingLeft();
      refused = writes >= fatal;
      for (const { metadata } of (await region.store.list(Network)).items) await remove(metadata.name);
      await nothingLeft();
    }
    expect(writes).toBeGreaterThan(5);
  });
});

describe('reading networks', () => {
  const list = async (query: string, token = region.token) =>
    ((await region.call('GET', `/api/v2/networks${query}`, { token })).body as Wire[]).map(
      ({ metadata }) => metadata.id,
    );

  it('lists the filtered networks in order of id, and none of other organizations', async () => {
    const { found, regionId, projectId, organizationId } = region;
    const ids = [(await created({}, { tags: [{ name: 'a', value: 'b' }] })).metadata.id, (await created()).metadata.id];
    expect(await list('')).toEqual(ids.toSorted());
    expect(
      await list(`?regionID=${regionId}&projectID=${projectId}&organizationID=${organizationId}&organizationID=x`),
    ).toEqual(ids.toSorted());
    expect(await list('?tag=a%3Db')).toEqual(ids.slice(0, 1));
    expect(await list('?regionID=x')).toEqual([]);
    expect(await list('?organizationID=x')).toEqual([]);
    expect(await list('', (await found.robot(await found.organization(), ['administrator'])).token)).toEqual([]);
    expect((await region.call('GET', '/api/v2/networks?tag=a')).status).toBe(400);
  });

  it('a network of another organization does not exist, and without the right it cannot be changed', async () => {
    const { call, found, organizationId } = region;
    const { id } = (await created()).metadata;
    const stranger = await found.robot(await found.organization(), ['administrator']);
    const auditor = await found.robot(organizationId, ['auditor']);
    const statuses = (token: string) =>
      Promise.all(
        (['GET', 'DELETE'] as const).map(
          async (method) => (await call(method, `/api/v2/networks/${id}`, { token })).status,
        ),
      );
    expect(await statuses(stranger.token)).toEqual([404, 404]);
    expect(await statuses(auditor.token)).toEqual([200, 403]);
    expect((await call('GET', `/api/v2/networks/${nobody}`)).status).toBe(404);
    expect(await call('GET', '/api/v2/networks/nonsense')).toMatchObject(described(400, 'invalid path/query element'));
  });
});

describe('changing a network', () => {
  const change = (id: string, metadata: object, spec: object, token = region.token) =>
    region.call('PUT', `/api/v2/networks/${id}`, { token, body: { metadata, spec } });

  it('replaces the mutable fields, clears omitted ones, and keeps the rest', async () => {
    const before = await created(
      { dnsNameservers: ['1.1.1.1'], routes: [{ prefix: '10.9.0.0/16', nexthop: '10.0.0.9' }] },
      { description: 'old', tags: [{ name: 'a', value: 'b' }] },
    );
    const { id, createdBy } = before.metadata;
    await standing(id, 'provisioned');
    const answer = await change(id, { name: 'new' }, { dnsNameservers: ['9.9.9.9'], prefix: '10.8.0.0/16' });
    expect(answer).toMatchObject({
      status: 202,
      body: { metadata: { name: 'new', createdBy, modifiedBy: createdBy } },
    });
    const after = answer.body as Wire;
    expect(after.metadata).not.toHaveProperty('description');
    expect(after.metadata).not.toHaveProperty('tags');
    expect([after.spec, after.status]).toEqual([{ dnsNameservers: ['9.9.9.9'] }, before.status]);
    await standing(id, 'provisioned');
  });

  it('by another caller keeps its creator, its payer, its pause and its placement', async () => {
    const { id } = (await created()).metadata;
    const { spec, metadata } = await modify(region.store, Network, id, (network) => ({
      ...network,
      spec: { ...network.spec, pause: true },
    }));
    expect((await change(id, { name: 'net' }, { dnsNameservers: [] }, region.operatorToken)).status).toBe(202);
    const after = await stored(id);
    expect(after.spec).toEqual(spec);
    const { [annotations.creator]: creator, [annotations.principalCreator]: principalCreator } =
      metadata.annotations ?? {};
    expect(after.metadata).toMatchObject({
      labels: metadata.labels,
      ownerReferences: metadata.ownerReferences,
      annotations: { [annotations.creator]: creator, [annotations.principalCreator]: principalCreator },
    });
  });

  it('by two concurrent requests is done by one', async () => {
    const id = await provisioned();
    const both = Promise.withResolvers<undefined>();
    let waiting = 0;
    around = async (call, happen) => {
      if (call.verb === 'update' && call.kind === Network && ++waiting === 2) both.resolve(undefined);
      if (call.verb === 'update' && call.kind === Network) await both.promise;
      return happen();
    };
    const answers = await Promise.all(['a', 'b'].map((name) => change(id, { name }, { dnsNameservers: [] })));
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
  });
});

describe('deleting a network', () => {
  it('is visible at once, can be repeated, allows no more changes, and leaves nothing', async () => {
    const id = await provisioned();
    await region.operator(region.regionId).turn({ service: 'down' });
    expect((await remove(id)).status).toBe(202);
    expect((await read(id)).metadata).toMatchObject({
      provisioningStatus: 'deprovisioning',
      deletionTime: expect.any(String) as string,
    });
    expect((await remove(id)).status).toBe(202);
    expect(
      await region.call('PUT', `/api/v2/networks/${id}`, {
        body: { metadata: { name: 'late' }, spec: { dnsNameservers: [] } },
      }),
    ).toMatchObject(described(400, 'is being deleted'));
    await region.operator(region.regionId).turn({ service: 'up' });
    await nothingLeft();
    expect([(await region.call('GET', `/api/v2/networks/${id}`)).status, (await remove(id)).status]).toEqual([
      404, 404,
    ]);
  });

  it('keeps its charge until the cloud has deleted it', async () => {
    const id = await provisioned();
    await region.operator(region.regionId).turn({ service: 'down' });
    await remove(id);
    await region.world.advance(60_000);
    expect((await leftBehind(region.store)).filter((left) => left.startsWith('Allocation'))).toHaveLength(1);
    await region.operator(region.regionId).turn({ service: 'up' });
    await nothingLeft();
  });

  it('with a server is refused as in use, and succeeds once the server is gone', async () => {
    const { store } = region;
    const id = await provisioned();
    const metadata = metadataInNetwork('e0000000-0000-4000-8000-000000000001', { name: 'vm' }, await stored(id), {
      subject: 'test',
      accountType: 'user',
      principal: {},
      impersonating: false,
    });
    const held = { ...metadata, finalizers: [finalizers.framework, 'things.example.com/held'] };
    await store.create(Server, {
      metadata: held,
      spec: { flavorID: 'f', image: { id: 'i' }, networks: [{ id }], pause: true },
    });
    expect(await remove(id)).toMatchObject(described(403, `in use by server ${metadata.name}`));
    expect((await stored(id)).metadata.deletionTimestamp).toBeUndefined();
    await store.delete(Server, metadata.name);
    expect((await remove(id)).status).toBe(403);
    await modify(store, Server, metadata.name, (server) => ({
      ...server,
      metadata: { ...server.metadata, finalizers: [] },
    }));
    expect((await remove(id)).status).toBe(202);
    await nothingLeft();
  });

  it('directly in the store, without foreground propagation, also leaves nothing', async () => {
    await region.store.delete(Network, await provisioned());
    await nothingLeft();
    const { metadata } = await stored(await provisioned());
    await region.store.delete(Identity, metadata.labels?.[labels.identity] ?? '');
    await nothingLeft();
  });
});

describe('the resources of a network', () => {
  it('are deleted before it, however the network is deleted', async () => {
    const listener = { name: 'web', protocol: 'tcp', port: 80, pool: { members: [] } };
    for (const propagation of ['background', 'foreground'] as const) {
      const networkId = await provisioned();
      const answer = await region.call('POST', '/api/v2/loadbalancers', {
        body: { metadata: { name: 'lb' }, spec: { networkId, listeners: [listener] } },
      });
      expect(answer.status).toBe(201);
      const { id } = (answer.body as Wire).metadata;
      await region.eventually(
        () => region.store.get(LoadBalancer, id),
        (balancer) => balancer?.status?.vipAddress !== undefined,
      );
      await region.store.delete(Network, networkId, { propagation });
      await nothingLeft();
    }
  });
});

describe('a network that waits for the cloud', () => {
  it('shows the reason, although the principal is hidden, and continues by itself afterwards', async () => {
    await region.operator(region.regionId).turn({ service: 'down' });
    const { id } = (await created()).metadata;
    const waiting = await region.eventually(
      () => read(id),
      ({ metadata }) => metadata['provisioningStatusDetail'] !== undefined,
    );
    expect(waiting.metadata).toMatchObject({
      provisioningStatus: 'provisioning',
      provisioningStatusDetail: { reason: 'DependencyNotReady', message: 'the simulated cloud is out of service' },
    });
    await region.operator(region.regionId).turn({ service: 'up' });
    await standing(id, 'provisioned');
  });

  it.each([{ errorRate: 0.4 }, { lostResponseRate: 0.4 }, { notFoundRate: 1 }])(
    'comes and goes although the cloud is ill: %j',
    async (illness) => {
      const healthy = Object.fromEntries(Object.keys(illness).map((knob) => [knob, 0]));
      await region.operator(region.regionId).turn(illness);
      await remove(await provisioned());
      await nothingLeft();
      await region.operator(region.regionId).turn(healthy);
    },
  );
});

describe('a reference on a network', () => {
  const reference = 'filestorages.storage.unikorn-cloud.org/x';
  const path = (id: string, text = reference) => `/api/v2/networks/${id}/references/${encodeURIComponent(text)}`;

  it('prevents its deletion until it is removed, also if its holder may not read the network', async () => {
    const headers = { ...certificateHeaders('uni-storage'), 'x-principal': encodePrincipal({ actor: 'x' }) };
    const send = (method: 'PUT' | 'DELETE' | 'GET', url: string) =>
      region.server.inject({ method, url: `/region${url}`, headers });
    const id = await provisioned();
    expect((await send('GET', `/api/v2/networks/${id}`)).statusCode).not.toBe(200);
    for (const answer of [await send('PUT', path(id)), await send('PUT', path(id))])
      expect(answer).toMatchObject({ statusCode: 201, body: '' });
    expect(await remove(id)).toMatchObject(described(403, `in use by ${reference}`));
    for (const answer of [await send('DELETE', path(id)), await send('DELETE', path(id))])
      expect(answer.statusCode).toBe(204);
    expect((await remove(id)).status).toBe(202);
    await nothingLeft();
    expect((await send('DELETE', path(id))).statusCode).toBe(404);
  });

  it('is refused on a network that is being deleted, and delays a deletion directly in the store', async () => {
    const id = await provisioned();
    const send = (method: 'PUT' | 'DELETE', text?: string) =>
      region.call(method, path(id, text), { token: region.operatorToken });
    expect((await send('PUT')).status).toBe(201);
    await region.store.delete(Network, id);
    expect(await send('PUT', `${reference}2`)).toMatchObject(described(400, 'is being deleted'));
    await region.eventually(
      () => read(id),
      ({ metadata }) => JSON.stringify(metadata).includes('still used by'),
    );
    expect((await send('DELETE')).status).toBe(204);
    await nothingLeft();
  });

  it.each([
    ['nonsense', 400],
    ['unikorn', 400],
    [reference, 403],
  ])('%s by a tenant is refused with %i', async (text, status) => {
    expect((await region.call('PUT', path((await created()).metadata.id, text))).status).toBe(status);
  });
});
