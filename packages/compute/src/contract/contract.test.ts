import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { lintOpenApi } from '@unikorn/core/testing';
import { describeContract, inProcess } from '@unikorn/core/testing/contract';
import { accessConfiguration } from '@unikorn/identity/testing';
import identity from '@unikorn/identity/testing/contract.json' with { type: 'json' };
import region from '@unikorn/region/testing/contract.json' with { type: 'json' };

import { computeSpares, computeTenants, startCompute } from '../testing/index.ts';
import { currentCompute } from './delta.fixture.ts';
import { deviations } from './deviations.fixture.ts';

/** The service with a resource of every kind. */
async function stage() {
  const running = await startCompute({ identityConfiguration: accessConfiguration });
  const tenants = await computeTenants(running);
  await running.world.settle();
  return { ...running, tenants };
}

describeContract('compute', {
  documents: { 'compute.json': currentCompute, 'region.json': region, 'identity.json': identity },
  contract: 'compute.json',
  deviations,
  async start() {
    const running = await stage();
    const { server, tenants } = running;
    const spare = await computeSpares(running, tenants.body('createInstance', 'own project'));
    return {
      ...inProcess(running.compute.service, server, (operationId) => tenants.body(operationId, 'own project')),
      callers: {
        everything: tenants.callers['platform-administrator'] ?? {},
        nothing: tenants.callers['nobody'] ?? {},
      },
      variable: (name, existence, operation) =>
        existence === 'absent'
          ? tenants.variable(name, 'absent object')
          : (spare[operation.name] ?? tenants.variable(name, 'own project')),
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
