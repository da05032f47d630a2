import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { findCondition, labels, newMetadata } from '@unikorn/core/resource';
import { isWrite, type Around } from '@unikorn/core/testing';
import { Project } from '@unikorn/identity/kinds';

import { FileStorage, Identity, Network, SSHCertificateAuthority } from '../kinds/index.ts';
import { specimens } from '../kinds/specimens.fixture.ts';
import { leftBehind, networkBody, startRegion, type RunningRegion } from '../testing/index.ts';
import { openLives } from '../testing/lives.ts';

const untouched: Around = (_call, happen) => happen();
let region: RunningRegion;
let around = untouched;

beforeAll(async () => {
  region = await startRegion({ around: (call, happen) => around(call, happen) });
});
afterAll(() => region.stop());

const create = (projectId: string) =>
  region.call('POST', '/api/v2/networks', { body: networkBody({ ...region, projectId }) });
const isGone = async (projectId: string) => (await region.store.get(Project, projectId)) === undefined;

/** A project with a provisioned network, file storage and an authority. */
async function furnished(): Promise<string> {
  const { store, found, organizationId, regionId, storageClassId, eventually } = region;
  const projectId = await found.project(organizationId);
  expect((await create(projectId)).status).toBe(201);
  const metadata = (id: string) =>
    newMetadata(
      id,
      { name: 'it' },
      { organizationId, projectId },
      { subject: 'test' },
      { labels: { [labels.region]: regionId } },
    );
  const [first, second] = ['b0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-000000000002'];
  await store.create(FileStorage, {
    metadata: metadata(first),
    spec: { ...specimens.FileStorage, storageClassID: storageClassId, attachments: [], snapshotPolicies: [] },
  });
  await store.create(SSHCertificateAuthority, { metadata: metadata(second), spec: specimens.SSHCertificateAuthority });
  await eventually(
    async () => (await store.list(Network)).items,
    (networks) => networks.every(({ status }) => findCondition(status?.conditions, 'Available')?.status === 'True'),
  );
  return projectId;
}

describe('a project that is deleted', () => {
  it('deletes its networks, file storage and authorities, and is removed only after these are gone in the cloud', async () => {
    const { store, operator, regionId, eventually, world } = region;
    const projectId = await furnished();
    await operator(regionId).turn({ service: 'down' });
    await store.delete(Project, projectId);
    await world.advance(120_000);
    expect(await isGone(projectId)).toBe(false);
    expect((await store.list(Identity)).items).toHaveLength(1);
    expect((await store.list(SSHCertificateAuthority)).items).toEqual([]);
    await operator(regionId).turn({ service: 'up' });
    await eventually(
      () => isGone(projectId),
      (gone) => gone,
    );
    expect(await leftBehind(store)).toEqual([]);
  });

  it('leaves nothing of a network that is created at the same time, at any moment', async () => {
    const { store, found, organizationId, eventually, world } = region;
    let writes = 0;
    for (let moment = 1, reached = true; reached; moment++) {
      const projectId = await found.project(organizationId);
      writes = 0;
      around = async (call, happen) => {
        if (isWrite(call) && ++writes === moment) await store.delete(Project, projectId);
        return happen();
      };
      const { status } = await create(projectId);
      await world.settle();
      around = untouched;
      reached = writes >= moment;
      expect(status).toBeOneOf([201, 400, 404, 409, 422]);
      await store.delete(Project, projectId);
      await eventually(
        () => isGone(projectId),
        (gone) => gone,
      );
      await eventually(
        () => leftBehind(store),
        (left) => left.length === 0,
      );
    }
    expect(writes).toBeGreaterThan(15);
  });

  it('while region did not run deletes everything once region runs again', async () => {
    const { world, store, begin, projectId, ...place } = await openLives();
    const first = begin();
    await first.ask('createNetwork', { body: networkBody({ ...place, projectId }) });
    await world.until(async () =>
      (await store.list(Network)).items.some(({ status }) => status?.provider !== undefined),
    );
    first.end();
    await store.delete(Project, projectId);
    await world.advance(60_000);
    expect(await store.get(Project, projectId)).toBeDefined();
    const second = begin();
    await world.until(async () => (await store.get(Project, projectId)) === undefined);
    expect(await leftBehind(store)).toEqual([]);
    second.end();
    await place.close();
  });
});
