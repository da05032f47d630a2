import { describe, expect, it } from 'vitest';

import { localCalls } from './index.ts';
import { openBench, Thing, thingId, thingRoutes, type Bench } from './things.fixture.ts';

const onBehalf = { principal: { actor: 'jane@example.com', organizationId: 'o1' }, impersonate: false };
const thing = { method: 'GET', path: '/api/v2/things/{thingID}' } as const;

function callsOf({ store, world, telemetry, authenticator }: Bench) {
  const service = {
    name: 'things',
    version: '1',
    routes: thingRoutes,
    authenticator,
    authorizationServer: 'https://identity.example.com',
  };
  return localCalls({ service, commonName: 'unikorn-compute', store, world, telemetry, instance: 'test' });
}

describe('a call within the process', () => {
  it('answers what a request would be answered', async () => {
    await using bench = await openBench();
    await bench.makeThing(thingId(1));
    const { status, body } = await callsOf(bench)(onBehalf, { ...thing, params: { thingID: thingId(1) } });
    const asked = await bench.call('GET', `/api/v2/things/${thingId(1)}`);
    expect({ status, body }).toEqual({ status: asked.statusCode, body: asked.json<unknown>() });
  });

  it('is made in the name of the service, for the principal it names', async () => {
    await using bench = await openBench();
    const { body } = await callsOf(bench)(onBehalf, {
      method: 'POST',
      path: '/api/v2/things',
      body: { metadata: { name: 'red-one' }, spec: { colour: 'red' } },
    });
    const { items } = await bench.store.list(Thing);
    expect(body).toMatchObject({ metadata: { id: items[0]?.metadata.name } });
    expect(items[0]?.metadata.annotations).toMatchObject({
      'unikorn-cloud.org/creator': 'unikorn-compute',
      'principal.unikorn-cloud.org/creator': 'jane@example.com',
    });
  });

  it('is refused as the problem it is', async () => {
    await using bench = await openBench();
    await expect(callsOf(bench)(onBehalf, { ...thing, params: { thingID: thingId(9) } })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('of what nobody serves is a defect of the caller', async () => {
    await using bench = await openBench();
    await expect(callsOf(bench)(onBehalf, { method: 'GET', path: '/api/v2/other' })).rejects.toThrow(
      'things has no operation GET /api/v2/other',
    );
  });
});
