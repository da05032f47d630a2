import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { labels } from '@unikorn/core/resource';
import { Region } from '@unikorn/region';
import type { FlavorRead } from '@unikorn/region/client';
import { simulatedProvider } from '@unikorn/region/providers/simulated';

import {
  debianImage,
  gpuFlavor,
  standardFlavor,
  startCompute,
  ubuntuImage,
  type RunningCompute,
} from '../../testing/index.ts';

const pinned = 'f0000000-0000-4000-8000-000000000001';

let compute: RunningCompute;
beforeAll(async () => {
  compute = await startCompute({
    knobs: { image_ms: 3600_000 },
    regionClient: (regionClient) => ({
      ...regionClient,
      flavors: async (...ask) => {
        const flavors = await regionClient.flavors(...ask);
        return [
          ...flavors,
          ...flavors.slice(0, 1).map(({ metadata, spec }): FlavorRead => ({
            metadata: { ...metadata, id: pinned },
            spec: { ...spec, pinnedOnly: true },
          })),
        ];
      },
    }),
  });
  const spec: Region['spec'] = {
    provider: 'kubernetes',
    kubernetes: { kubeConfigSecret: { namespace: 'none', name: 'none' }, nodes: [] },
  };
  await compute.store.create(Region, {
    metadata: { name: compute.world.uuid(), labels: { [labels.name]: 'cluster' } },
    spec,
  });
});
afterAll(() => compute.stop());

const listed = async (path = '', organizationId = compute.organizationId) => {
  const answer = await compute.call('GET', `/api/v1/organizations/${organizationId}/regions${path}`);
  return {
    ...answer,
    ids:
      answer.status === 200
        ? (answer.body as readonly { readonly metadata: { readonly id: string } }[]).map(({ metadata }) => metadata.id)
        : [],
  };
};

describe('the catalogue', () => {
  it('has the regions that can run instances, without clusters', async () => {
    expect(
      (await compute.toRegion.regions({ principal: { actor: 'test' }, impersonate: false }, compute.organizationId))
        .map(({ spec }) => spec.type)
        .sort(),
    ).toEqual(['kubernetes', 'simulated']);
    expect((await listed()).ids).toEqual([compute.regionId]);
  });

  it('has the flavors that do not require a named host', async () => {
    const { ids } = await listed(`/${compute.regionId}/flavors`);
    expect(ids).toEqual(expect.arrayContaining([standardFlavor, gpuFlavor]));
    expect(ids).not.toContain(pinned);
  });

  it('has the images that are ready and not made for other services', async () => {
    const cloud = simulatedProvider(compute);
    const source = (await cloud.images.list()).find(({ id }) => id === debianImage);
    if (!source) throw new Error('the image is not there');
    const { architecture, virtualization, os } = source;
    const fresh = await cloud.images.import(
      {
        id: compute.world.uuid(),
        name: 'fresh',
        tags: [],
        organizationId: compute.organizationId,
        architecture,
        virtualization,
        os,
        softwareVersions: {},
      },
      'https://example.com/a.raw',
    );
    const { ids } = await listed(`/${compute.regionId}/images`);
    expect(ids).toContain(debianImage);
    expect(ids).not.toContain(ubuntuImage);
    expect(ids).not.toContain(fresh.id);
  });

  it('is shown to callers who may read it, for regions that exist', async () => {
    const foreign = await compute.found.organization();
    expect([
      (await listed('', foreign)).status,
      (await listed(`/${compute.regionId}/flavors`, foreign)).status,
    ]).toEqual([403, 403]);
    expect([(await listed(`/${foreign}/flavors`)).status, (await listed(`/${foreign}/images`)).status]).toEqual([
      404, 404,
    ]);
  });
});
