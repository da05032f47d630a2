import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { labels } from '@unikorn/core/resource';

import { Server } from '../../kinds/index.ts';
import { defaultKnobs } from '../../providers/simulated/index.ts';
import { startRegion, type RunningRegion } from '../../testing/index.ts';

let region: RunningRegion;
beforeAll(async () => {
  region = await startRegion();
});
afterAll(() => region.stop());

const ask = (method: 'GET' | 'PUT' | 'POST', path: string, body?: object, token = region.operatorToken) =>
  region.call(method, path, { token, ...(body ? { body } : {}) });
const simulationOf = (regionId = region.regionId) => `/api/v2/regions/${regionId}/simulation`;

describe('the simulation of a region', () => {
  it('is read and changed by operators; omitted settings stay', async () => {
    const before = await ask('GET', simulationOf());
    expect(before).toMatchObject({
      status: 200,
      body: { build_ms: 0, service: 'up', serversPerIdentity: defaultKnobs.serversPerIdentity },
    });
    const turned = await ask('PUT', simulationOf(), { build_ms: 500, errorRate: 0.25 });
    expect(turned).toMatchObject({ status: 200, body: { ...(before.body as object), build_ms: 500, errorRate: 0.25 } });
    expect((await ask('GET', simulationOf())).body).toEqual(turned.body);
    await ask('PUT', simulationOf(), { build_ms: 0, errorRate: 0 });
  });

  it.each<[string, object]>([
    ['a rate above 1', { errorRate: 1.5 }],
    ['a negative latency', { call_ms: -1 }],
    ['a knob that does not exist', { speed: 1 }],
    ['nothing at all', {}],
    ['a state it cannot have', { service: 'asleep' }],
    ['a place that is no number', { places: { flavor: 'many' } }],
  ])('refuses %s with 400 and changes nothing', async (_name, body) => {
    const before = await ask('GET', simulationOf());
    expect(await ask('PUT', simulationOf(), body)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect((await ask('GET', simulationOf())).body).toEqual(before.body);
  });

  it('is only for operators: 403 for an administrator of an organization, whatever the region', async () => {
    expect(await ask('GET', simulationOf(), undefined, region.token)).toMatchObject({ status: 403 });
    expect(await ask('PUT', simulationOf(), { service: 'down' }, region.token)).toMatchObject({ status: 403 });
    expect(
      await ask(
        'POST',
        `${simulationOf()}/drift`,
        { kind: 'server', id: region.projectId, drift: 'deleted' },
        region.token,
      ),
    ).toMatchObject({ status: 403 });
  });

  it('exists for simulated regions only', async () => {
    const secret = { namespace: 'unikorn', name: 'cloud' };
    const other = await region.openRegion({
      provider: 'openstack',
      openstack: { endpoint: 'https://keystone.example.com', serviceAccountSecret: secret },
    });
    expect(await ask('GET', simulationOf(other))).toMatchObject({
      status: 400,
      body: { error_description: expect.stringContaining('has the type openstack') as string },
    });
    expect(await ask('GET', simulationOf(region.projectId))).toMatchObject({ status: 404 });
  });
});

describe('two simulated regions', () => {
  it('can offer different flavors', async () => {
    const flavorsOf = async (regionId: string) => {
      const { body } = await region.call(
        'GET',
        `/api/v1/organizations/${region.organizationId}/regions/${regionId}/flavors`,
      );
      return (body as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
    };
    const spec = { type: 'simulated', simulated: { flavorIDs: ['11111111-1111-1111-1111-111111111111'] } };
    const { body } = await ask('POST', '/api/v2/regions', { metadata: { name: 'plain' }, spec });
    const { id } = (body as { metadata: { id: string } }).metadata;
    await region.operator(id).turn({ call_ms: 0 });
    expect(await flavorsOf(id)).toEqual(['sim-standard-4']);
    expect(await flavorsOf(region.regionId)).toContain('sim-gpu-8');
  });
});

describe('drift', () => {
  const drift = (body: object) => ask('POST', `${simulationOf()}/drift`, body);

  it('answers 404 for a resource that is not in the region, or that the cloud does not have', async () => {
    const id = region.world.uuid();
    expect(await drift({ kind: 'server', id, drift: 'deleted' })).toMatchObject({
      status: 404,
      body: { error_description: `server ${id} does not exist in region ${region.regionId}` },
    });
    const carried = { [labels.region]: region.regionId, [labels.identity]: region.world.uuid() };
    await region.store.create(Server, {
      metadata: { name: id, labels: carried, finalizers: ['unikorn'] },
      spec: { flavorID: 'f', image: { id: 'i' }, networks: [{ id: 'n' }], pause: true },
    });
    expect(await drift({ kind: 'server', id, drift: 'stopped' })).toMatchObject({
      status: 404,
      body: { error_description: `the simulated cloud has no server ${id}` },
    });
  });

  it.each<[string, object]>([
    ['an unknown kind', { kind: 'planet', drift: 'deleted' }],
    ['an unknown drift', { kind: 'server', drift: 'eaten' }],
    ['an id that is none', { kind: 'server', id: 'x', drift: 'deleted' }],
  ])('refuses %s with 400', async (_name, change) => {
    expect(await drift({ id: region.projectId, ...change })).toMatchObject({ status: 400 });
  });
});
