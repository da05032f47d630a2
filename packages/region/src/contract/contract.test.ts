import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { lintOpenApi } from '@unikorn/core/testing';
import { describeContract, inProcess } from '@unikorn/core/testing/contract';
import { accessConfiguration } from '@unikorn/identity/testing';
import identity from '@unikorn/identity/testing/contract.json' with { type: 'json' };

import { regionSpares, regionTenants, startRegion } from '../testing/index.ts';
import { deviations } from './deviations.fixture.ts';
import region from './region.json' with { type: 'json' };

/** The service with one resource of every type. */
async function stage() {
  const running = await startRegion({ identityConfiguration: accessConfiguration });
  const tenants = await regionTenants(running);
  await running.world.settle();
  return { ...running, tenants };
}

describeContract('region', {
  documents: { 'region.json': region, 'identity.json': identity },
  contract: 'region.json',
  deviations,
  async start() {
    const running = await stage();
    const { server, tenants } = running;
    const spare = await regionSpares(running, (operationId) => tenants.body(operationId, 'own project'));
    return {
      ...inProcess(running.region.service, server, (operationId) => tenants.body(operationId, 'own project')),
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
    expect(lintOpenApi((await running.server.inject({ url: '/region/openapi.json' })).json())).toEqual([]);
  });
});
