import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { lintOpenApi } from '@unikorn/core/testing';
import { describeContract } from '@unikorn/core/testing/contract';
import { accessConfiguration } from '@unikorn/identity/testing';
import identity from '@unikorn/identity/testing/contract.json' with { type: 'json' };
import region from '@unikorn/region/testing/contract.json' with { type: 'json' };

import { computeTenants, runningInstance, startCompute } from '../testing/index.ts';
import { currentCompute } from './delta.fixture.ts';
import { deviations } from './deviations.fixture.ts';

/** The service with something of everything in it. */
async function stage() {
  const running = await startCompute({ identityConfiguration: accessConfiguration });
  const tenants = await computeTenants(running);
  await running.world.settle();
  return { ...running, tenants };
}

/** What some operations need besides: an instance that is stopped, and one to stop. */
async function spares(running: Awaited<ReturnType<typeof stage>>): Promise<Readonly<Record<string, string>>> {
  const { call, eventually, tenants, operatorToken: token } = running;
  const make = (name: string) => runningInstance(running, { ...tenants.body('createInstance', 'own project'), metadata: { name } });
  const stopped = await make('stopped');
  await call('POST', `/api/v2/instances/${stopped}/stop`, { token });
  await eventually(async () => (await call('GET', `/api/v2/instances/${stopped}`, { token })).body, (body) => JSON.stringify(body).includes('"Stopped"'));
  return { 'POST /api/v2/instances/{instanceID}/start': stopped, 'POST /api/v2/instances/{instanceID}/stop': await make('running') };
}

describeContract('compute', {
  documents: { 'compute.json': currentCompute, 'region.json': region, 'identity.json': identity },
  contract: 'compute.json',
  deviations,
  async start() {
    const running = await stage();
    const { server, tenants } = running;
    const spare = await spares(running);
    return {
      service: running.compute.service,
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
    expect(lintOpenApi((await running.server.inject({ url: '/compute/openapi.json' })).json())).toEqual([]);
  });
});
