import { request as httpRequest } from 'node:http';

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { Problem } from '@unikorn/core/errors';
import type { Around, StoreCall } from '@unikorn/core/testing';

import { ComputeInstance } from '../../kinds/index.ts';
import { gpuFlavor } from '../../testing/index.ts';
import { mentioning, seen, startInstances, type Instances } from './instances.fixture.ts';

const nothing: Around = (_call, happen) => happen();

/** Intercepts the calls of the services to their store. */
let between = nothing;
/** Whether identity fails to release charges. */
let away = false;
/** The ids of charged instances, once per charge. */
const charges: string[] = [];
/** A promise to wait for before GPUs are charged. */
let beforeGpus: Promise<unknown> | undefined;
let compute: Instances;
beforeAll(async () => {
  compute = await startInstances({
    around: (call, happen) => between(call, happen),
    identityClient: (identityClient) => ({
      ...identityClient,
      charge: async (principal, charge) => {
        charges.push(charge.resource.id);
        if (charge.amounts.gpus?.committed) await beforeGpus;
        return identityClient.charge(principal, charge);
      },
      release: (...ask) =>
        away ? Promise.reject(new Problem('server_error', 'identity is away')) : identityClient.release(...ask),
    }),
  });
});
afterEach(() => {
  between = nothing;
  away = false;
  beforeGpus = undefined;
});
afterAll(() => compute.stop());

/** Makes the selected calls fail, before or after their effect. */
function failing(concerns: (call: StoreCall) => boolean, when: 'before' | 'after'): Around {
  return async (call, happen) => {
    const struck = concerns(call);
    if (struck && when === 'before') throw new Problem('storage_unavailable', 'the store cannot be written');
    const answer = await happen();
    if (struck) throw new Problem('storage_unavailable', 'the answer of the store was lost');
    return answer;
  };
}

const puts = (verb: StoreCall['verb']) => (call: StoreCall) =>
  call.verb === verb && call.kind.id === ComputeInstance.id;

describe('an instance and what it costs', () => {
  it('stay unchanged when the name is used again: a duplicate is never charged, not even for a moment', async () => {
    const { create, charged } = await compute.openTenant();
    const { id } = seen(await create('taken', { networking: { publicIP: true } })).metadata;
    expect((await create('taken')).status).toBe(409);
    expect(charges.filter((charge) => charge === id)).toHaveLength(1);
    expect(await charged()).toMatchObject({ publicips: 1 });
  });

  it('for a concurrent duplicate without quota: 409, because the name is in use, and not 403', async () => {
    const { create, charged, limit } = await compute.openTenant();
    await limit({ gpus: 0 });
    const first = Promise.withResolvers<undefined>();
    beforeGpus = first.promise;
    const second = create('both', { flavorId: gpuFlavor });
    expect((await create('both')).status).toBe(201);
    first.resolve(undefined);
    expect(await second).toMatchObject({ status: 409, body: { error_description: mentioning('metadata.name') } });
    expect(await charged()).toEqual({ servers: 1, gpus: 0, publicips: 0 });
  });

  it.each(['before', 'after'] as const)(
    'do not exist if storing it fails %s its effect: the allocation is removed',
    async (when) => {
      const { create, ask, charged } = await compute.openTenant();
      between = failing(puts('create'), when);
      expect((await create('unlucky', { networking: { publicIP: true } })).status).toBe(503);
      between = nothing;
      await compute.eventually(charged, ({ servers, publicips }) => servers === 0 && publicips === 0);
      await compute.eventually(
        () => ask('GET'),
        ({ body }) => JSON.stringify(body) === '[]',
      );
    },
  );

  it.each(['before', 'after'] as const)('stay unchanged if storing a change fails %s its effect', async (when) => {
    const { create, update, until, charged } = await compute.openTenant();
    const { id } = seen(await create('steady')).metadata;
    const { spec } = await until(id, 'provisioned');
    let failed = false;
    between = failing((call) => !failed && puts('update')(call) && (failed = true), when);
    expect((await update(id, 'steady', { networking: { publicIP: true } })).status).toBe(503);
    await compute.eventually(charged, ({ publicips }) => publicips === 0);
    expect((await until(id, 'provisioned')).spec).toEqual(spec);
  });

  it('are settled without a request: a charge that could not be released immediately is released later', async () => {
    const { create, charged } = await compute.openTenant();
    between = failing(puts('create'), 'before');
    away = true;
    expect((await create('abandoned')).status).toBe(503);
    between = nothing;
    expect(await charged()).toMatchObject({ servers: 1 });
    away = false;
    await compute.eventually(charged, ({ servers }) => servers === 0);
  });

  it('are undone even if the client disconnected before the failure', async () => {
    const tenant = await compute.openTenant();
    const gone = Promise.withResolvers<undefined>();
    const reached = Promise.withResolvers<undefined>();
    between = async (call, happen) => {
      if (!puts('create')(call)) return happen();
      reached.resolve(undefined);
      await gone.promise;
      throw new Problem('storage_unavailable', 'the store cannot be written');
    };
    const client = await post('/compute/api/v2/instances', tenant.token, tenant.bodyOf('forsaken'));
    await reached.promise;
    expect(await tenant.charged()).toMatchObject({ servers: 1 });
    client.destroy();
    gone.resolve(undefined);
    await compute.eventually(tenant.charged, (costs) => costs['servers'] === 0);
    expect((await tenant.ask('GET')).body).toEqual([]);
  });
});

/** Sends a request over its own connection, and does not wait for the response. */
async function post(path: string, token: string, body: object) {
  await compute.server.listen({ port: 0, host: '127.0.0.1' });
  const address = compute.server.server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  const outgoing = httpRequest({
    method: 'POST',
    port: address.port,
    host: '127.0.0.1',
    path,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  outgoing.on('error', () => undefined);
  outgoing.end(JSON.stringify(body));
  return outgoing;
}
