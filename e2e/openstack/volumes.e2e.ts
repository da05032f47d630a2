import { systemWorld } from '@unikorn/core/world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { checkCloud } from '../../packages/region/src/providers/openstack/index.ts';
import { volumeQuota } from '../../packages/region/src/providers/openstack/quotas.ts';
import { asAdministrator } from './cloud.fixture.ts';
import type { Caller, Json } from './cloud/caller.ts';
import { removeIdentity } from './inventory.fixture.ts';
import { insist, openRegionWith, requireService } from './region.fixture.ts';

/*
 * What a region uses of Cinder: the types of volumes, and the quotas of projects. Needs a cloud with Cinder.
 */

const suffix = systemWorld.uuid().slice(0, 8);
const made: string[] = [];
let cloud: Caller;
let types: Readonly<Record<'fast' | 'plain' | 'unnamed' | 'hidden', string>>;
let region: Awaited<ReturnType<typeof openRegionWith>>;

async function makeType(name: string, fields: object = {}): Promise<string> {
  const body = { volume_type: { name: `${name}-${suffix}`, ...fields } };
  const { id } = (await cloud('block-storage', 'POST', '/types', { body })).volume_type;
  made.push(id);
  return id;
}

beforeAll(async () => {
  cloud = await asAdministrator();
  await requireService(cloud, 'block-storage', 'cinder');
  types = {
    fast: await makeType('fast', { description: 'quick disks' }),
    plain: await makeType('plain'),
    unnamed: await makeType('unnamed'),
    hidden: await makeType('hidden', { 'os-volume-type-access:is_public': false }),
  };
  region = await openRegionWith({
    blockStorage: {
      volumeClasses: {
        selector: { ids: [types.plain, types.fast, types.hidden] },
        metadata: [
          { id: types.fast, media: 'nvme', encrypted: true, performance: { maxIOPS: 9000, maxThroughputMiBps: 500 } },
        ],
      },
    },
  });
});

afterAll(async () => {
  await removeIdentity(cloud, region.identity.id);
  for (const id of made) await cloud('block-storage', 'DELETE', `/types/${id}`, { tolerate: [404] });
  await region.close();
});

it('the volume classes of a region are the public volume types that its settings name', async () => {
  expect(await insist(() => region.provider.volumeClasses())).toEqual([
    {
      id: types.fast,
      name: `fast-${suffix}`,
      description: 'quick disks',
      media: 'nvme',
      encrypted: true,
      performance: { maxIOPS: 9000, maxThroughput_mibps: 500 },
    },
    { id: types.plain, name: `plain-${suffix}`, description: '', media: 'ssd', encrypted: false },
  ]);
});

describe('the quota of volumes', () => {
  let projectId: string;

  /** Those that the platform sets, as an administrator sees them. */
  async function quota(): Promise<Json> {
    const { quota_set: found } = await cloud('block-storage', 'GET', `/os-quota-sets/${projectId}`);
    return Object.fromEntries(Object.keys(volumeQuota).map((name) => [name, found[name]]));
  }

  it('is lifted for the project of an identity', async () => {
    projectId = (await insist(() => region.provider.identities.ensure(region.identity))).observed.providerId;
    expect(await quota()).toEqual(volumeQuota);
  });

  it('is lifted again after it was changed in the cloud', async () => {
    const body = { quota_set: { volumes: 1, gigabytes: 10 } };
    await cloud('block-storage', 'PUT', `/os-quota-sets/${projectId}`, { body });
    expect(await quota()).toMatchObject(body.quota_set);
    await insist(() => region.provider.identities.ensure(region.identity));
    expect(await quota()).toEqual(volumeQuota);
  });
});

it('the check of the region finds that types can be listed and quotas be set', async () => {
  const checks = await checkCloud(region.region);
  const stateOf = (name: string) => checks.find((check) => check.name === name)?.state;
  expect([stateOf('list volume types'), stateOf('set the volume quotas of projects')]).toEqual(['ok', 'ok']);
});
