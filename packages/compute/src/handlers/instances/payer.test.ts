import { afterAll, beforeAll, expect, it } from 'vitest';

import { encodePrincipal } from '@unikorn/core/access';
import { labels } from '@unikorn/core/resource';
import { Allocation } from '@unikorn/identity/kinds';
import { certificateHeaders } from '@unikorn/identity/testing';

import { seen, startInstances, type Instances } from './instances.fixture.ts';

const service = 'uni-storage';
let compute: Instances;
beforeAll(async () => {
  compute = await startInstances({
    identityConfiguration: {
      services: {
        'unikorn-region': 'region-service',
        'unikorn-compute': 'compute-service',
        [service]: 'platform-administrator',
      },
    },
  });
});
afterAll(() => compute.stop());

it('an instance that a service creates for another project is charged to that project, from its creation to its deletion', async () => {
  const payer = await compute.openTenant();
  const charged = async (id: string) =>
    (await compute.store.list(Allocation)).items
      .filter(({ spec }) => spec.id === id)
      .map(({ metadata, spec }) => [metadata.labels?.[labels.organization], spec.allocations]);
  const principal = encodePrincipal({
    actor: 'jane',
    organizationId: payer.organizationId,
    projectId: payer.projectId,
  });
  const headers = { ...certificateHeaders(service), 'x-principal': principal, 'content-type': 'application/json' };
  const ask = async (method: 'POST' | 'PUT', path: string, body: object) => {
    const answer = compute.server.inject({
      method,
      url: `/compute/api/v2/instances${path}`,
      headers,
      payload: JSON.stringify(body),
    });
    await compute.world.advance(1_000);
    const { statusCode: status, ...response } = await answer;
    return seen({ status, body: response.json() });
  };

  const {
    metadata: { id },
  } = await ask('POST', '', compute.bodyOf('paid'));
  expect(await charged(id)).toMatchObject([
    [payer.organizationId, expect.arrayContaining([{ kind: 'publicips', committed: 0, reserved: 0 }]) as unknown],
  ]);
  await compute.until(id, 'provisioned');
  // The same project is charged, whoever makes the change.
  expect((await compute.update(id, 'paid', { networking: { publicIP: true } })).status).toBe(202);
  expect(await charged(id)).toMatchObject([
    [payer.organizationId, expect.arrayContaining([{ kind: 'publicips', committed: 1, reserved: 0 }]) as unknown],
  ]);
  await compute.ask('DELETE', `/${id}`);
  await compute.gone(id);
  expect(await charged(id)).toEqual([]);
});
