import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { lintOpenApi } from '@unikorn/core/testing';
import { describeContract } from '@unikorn/core/testing/contract';
import { accessConfiguration } from '@unikorn/identity/testing';
import identity from '@unikorn/identity/testing/contract.json' with { type: 'json' };

import { regionTenants, startRegion } from '../testing/index.ts';
import { deviations } from './deviations.fixture.ts';
import region from './region.json' with { type: 'json' };

/** The service with something of everything in it. */
async function stage() {
  const running = await startRegion({ identityConfiguration: accessConfiguration });
  const tenants = await regionTenants(running);
  await running.world.settle();
  return { ...running, tenants };
}

interface Made {
  readonly metadata: { readonly id: string; readonly provisioningStatus: string };
}

/** What some operations need besides: a server that is stopped, one to stop, and a network that nobody has put anything into. */
async function spares({ call, eventually, tenants, operatorToken: token }: Awaited<ReturnType<typeof stage>>): Promise<Readonly<Record<string, string>>> {
  const make = async (operationId: string, path: string, name: string) => {
    const body = { ...tenants.body(operationId, 'own project'), metadata: { name } };
    const { metadata } = (await call('POST', path, { token, body })).body as Made;
    await eventually(async () => ((await call('GET', `${path}/${metadata.id}`, { token })).body as Made).metadata.provisioningStatus, (status) => status === 'provisioned');
    return metadata.id;
  };
  const stopped = await make('createServer', '/api/v2/servers', 'stopped');
  await call('POST', `/api/v2/servers/${stopped}/stop`, { token });
  return {
    'POST /api/v2/servers/{serverID}/start': stopped,
    'POST /api/v2/servers/{serverID}/stop': await make('createServer', '/api/v2/servers', 'running'),
    'DELETE /api/v2/networks/{networkID}': await make('createNetwork', '/api/v2/networks', 'unused'),
  };
}

describeContract('region', {
  documents: { 'region.json': region, 'identity.json': identity },
  contract: 'region.json',
  deviations,
  async start() {
    const running = await stage();
    const { server, tenants } = running;
    const spare = await spares(running);
    return {
      service: running.region.service,
      server,
      callers: { everything: tenants.callers['platform-administrator'] ?? {}, nothing: tenants.callers['nobody'] ?? {} },
      variable: (name, existence, operation) => (existence === 'absent' ? tenants.variable(name, 'absent object') : (spare[operation.name] ?? tenants.variable(name, 'own project'))),
      body: (operationId) => tenants.body(operationId, 'own project'),
      stop: () => running.stop(),
    };
  },
});

describe('besides what it declares', () => {
  let running: Awaited<ReturnType<typeof stage>>;
  beforeAll(async () => {
    running = await stage();
  });
  afterAll(() => running.stop());

  it('the document follows the house rules', async () => {
    expect(lintOpenApi((await running.server.inject({ url: '/region/openapi.json' })).json())).toEqual([]);
  });
});
