import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { labels } from '@unikorn/core/resource';

import { FileStorageClass } from '../../kinds/index.ts';
import { described, startStorage, type RunningStorage, type Wire } from '../filestorage/filestorage.fixture.ts';

let running: RunningStorage;
beforeAll(async () => {
  running = await startStorage();
});
afterAll(() => running.stop());

async function list(query = '', token = running.token): Promise<readonly Wire[]> {
  return (await running.call('GET', `/api/v2/filestorageclasses${query}`, { token })).body as readonly Wire[];
}

async function offer(spec: object = {}): Promise<string> {
  const body = {
    metadata: { name: 'class' },
    spec: { regionId: running.regionId, provisioner: 'simulated', protocols: ['nfsv3', 'nfsv4'], ...spec },
  };
  const answer = await running.call('POST', '/api/v2/filestorageclasses', { body, token: running.operatorToken });
  expect(answer.status).toBe(201);
  return (answer.body as Wire).metadata.id;
}

describe('classes of file storage', () => {
  it('are listed with their number of addresses, which is four by default', async () => {
    const { regionId, storageClassId } = running;
    const wide = await offer({ parallelism: 8 });
    const shown = await list(`?regionID=${regionId}`);
    expect(shown.find(({ metadata }) => metadata.id === storageClassId)).toMatchObject({
      metadata: { name: 'standard', provisioningStatus: 'provisioned' },
      spec: { regionId, protocols: ['nfsv4'], parallelism: 4 },
    });
    expect(shown.find(({ metadata }) => metadata.id === wide)).toMatchObject({
      spec: { protocols: ['nfsv3', 'nfsv4'], parallelism: 8 },
    });
    expect(shown.map(({ metadata }) => metadata.id)).toEqual(shown.map(({ metadata }) => metadata.id).toSorted());
  });

  it('are visible with their region, and those of an organization only to it', async () => {
    const { found, openRegion, organizationId, operatorToken } = running;
    const { token } = await found.robot(await found.organization(), ['administrator']);
    const hidden = await offer({
      regionId: await openRegion({ security: { organizations: [{ id: organizationId }] } }),
    });
    const ours = await offer({ organizationId });
    const everybody = await offer();
    const seen = async (caller?: string) =>
      (await list('', caller))
        .map(({ metadata }) => metadata.id)
        .filter((id) => [hidden, ours, everybody].includes(id));
    expect(new Set(await seen())).toEqual(new Set([hidden, ours, everybody]));
    expect(new Set(await seen(operatorToken))).toEqual(new Set([hidden, ours, everybody]));
    expect(await seen(token)).toEqual([everybody]);
    expect(await list(`?regionID=${await openRegion()}`)).toEqual([]);
    expect(await list('?regionID=nowhere')).toEqual([]);
  });

  it('are created and deleted by operators, and not while file storage uses them', async () => {
    const { call, created, openRegion, operatorToken, removed, store } = running;
    const id = await offer();
    const withdraw = (token: string) => call('DELETE', `/api/v2/filestorageclasses/${id}`, { token });
    expect((await withdraw(running.token)).status).toBe(403);
    const body = {
      metadata: { name: 'class' },
      spec: { regionId: await openRegion(), provisioner: 'simulated', protocols: ['nfsv4'] },
    };
    expect((await call('POST', '/api/v2/filestorageclasses', { body })).status).toBe(403);
    expect(
      (
        await call('POST', '/api/v2/filestorageclasses', {
          body: { ...body, spec: { ...body.spec, regionId: 'aaaaaaaa-0000-4000-8000-000000000000' } },
          token: operatorToken,
        })
      ).status,
    ).toBe(404);
    expect(
      (
        await call('POST', '/api/v2/filestorageclasses', {
          body: { ...body, spec: { ...body.spec, protocols: [] } },
          token: operatorToken,
        })
      ).status,
    ).toBe(400);
    const { metadata } = await created({ storageClassId: id });
    expect(await withdraw(operatorToken)).toMatchObject(described(403, `in use by file storage ${metadata.id}`));
    await removed(metadata.id);
    expect((await withdraw(operatorToken)).status).toBe(202);
    expect((await withdraw(operatorToken)).status).toBe(404);
    expect(
      (await store.list(FileStorageClass)).items.every((left) => left.metadata.labels?.[labels.region] !== undefined),
    ).toBe(true);
  });
});
