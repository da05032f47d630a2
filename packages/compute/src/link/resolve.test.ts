import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { silentTelemetry } from '@unikorn/core/testing';
import { Server } from '@unikorn/region/kinds';

import { ComputeInstance } from '../kinds/index.ts';
import { asService } from '../on-behalf.ts';
import { bear, until } from '../provisioners/instance/stage.fixture.ts';
import { standardFlavor, startCompute, ubuntuImage, type RunningCompute } from '../testing/index.ts';
import { listedClaimants, linkTag, serverResolver, type ResolveServer } from './index.ts';

let compute: RunningCompute;
let resolve: ResolveServer;
const telemetry = silentTelemetry();

beforeAll(async () => {
  compute = await startCompute();
  resolve = serverResolver({ regionClient: compute.toRegion, telemetry, claimants: listedClaimants(compute.toRegion) });
});
afterAll(() => compute.stop());

async function instanceOf(id: string): Promise<ComputeInstance> {
  const found = await compute.store.get(ComputeInstance, id);
  if (!found) throw new Error(`there is no instance ${id}`);
  return found;
}

async function strayServer(
  owner: ComputeInstance,
  name: string,
  tags: readonly { name: string; value: string }[],
): Promise<string> {
  const spec = { networkId: compute.networkId, flavorId: standardFlavor, imageId: ubuntuImage };
  return (await compute.toRegion.createServer(asService(owner.metadata), { metadata: { name, tags }, spec })).metadata
    .id;
}

describe('one resolver for all callers: none, one and many are three typed results', () => {
  it('one, if the server with its id names the instance', async () => {
    const id = await bear(compute, { name: 'one' });
    await until(compute, id, 'Provisioned');
    expect(await resolve(await instanceOf(id))).toMatchObject({ type: 'one', server: { metadata: { id } } });
  });

  it('none, if there is no such server', async () => {
    const id = await bear(compute, { name: 'none', spec: { imageId: 'no-such-image' } });
    await until(compute, id, 'Errored');
    expect(await resolve(await instanceOf(id))).toEqual({ type: 'none' });
  });

  it('none, if the server with its id names no instance or another one', async () => {
    const owner = await instanceOf(await bear(compute, { name: 'owner' }));
    const taken = await strayServer(owner, 'taken', []);
    expect(await bear(compute, { name: 'taken' })).toBe(taken);
    expect(await resolve(await instanceOf(taken))).toEqual({ type: 'none', occupant: taken });
  });

  it('many, if other servers also name the instance, and this is counted', async () => {
    const id = await bear(compute, { name: 'many' });
    await until(compute, id, 'Provisioned');
    const other = await strayServer(await instanceOf(id), 'other', [{ name: linkTag, value: id }]);
    expect(await resolve(await instanceOf(id))).toEqual({ type: 'many', serverIds: [id, other] });
    expect(await telemetry.registry.getSingleMetricAsString('unikorn_compute_ambiguous_link_total')).toMatch(/ 1$/);
    await compute.store.delete(Server, other);
    await until(compute, id, 'Provisioned');
    expect(await resolve(await instanceOf(id))).toMatchObject({ type: 'one' });
  });
});

it('contains only servers that name the instance, if the server with its id belongs to another', async () => {
  const owner = await instanceOf(await bear(compute, { name: 'names-owner' }));
  const taken = await strayServer(owner, 'names-taken', []);
  expect(await bear(compute, { name: 'names-taken' })).toBe(taken);
  const other = await strayServer(owner, 'names-other', [{ name: linkTag, value: taken }]);
  expect(await resolve(await instanceOf(taken))).toEqual({ type: 'many', serverIds: [other] });
  await compute.store.delete(Server, other);
});

describe('the whole tag family is reserved', () => {
  it.each([linkTag, 'compute.unikorn-cloud.org:instance-id'])('only compute may set %s on a server', async (name) => {
    const body = {
      metadata: { name: 'forged', tags: [{ name, value: 'x' }] },
      spec: { networkId: compute.networkId, flavorId: standardFlavor, imageId: ubuntuImage },
    };
    expect(
      await compute.request('POST', '/region/api/v2/servers', { body, token: compute.operatorToken }),
    ).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });
});
