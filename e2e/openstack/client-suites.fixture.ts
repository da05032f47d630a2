import { join } from 'node:path';

import { inject } from 'vitest';

import { temporaryFolder } from '../../packages/unikorn/src/unikorn.fixture.ts';
import { startProduct } from '../product/running.fixture.ts';
import type { TestRegion } from '../product/test-region.fixture.ts';
import { asAdministrator } from './cloud.fixture.ts';
import type { Json } from './cloud/caller.ts';
import { keepSecret, patience_ms, regionSettings } from './product.fixture.ts';
import { regionSecret } from './provider.fixture.ts';
import { removeProject } from './sweep.fixture.ts';

/** The product for the suites of clients in `e2e/product`, with a region in the cloud under test. */
export async function startForClients() {
  const folder = temporaryFolder();
  const state = join(folder.path, 'state');
  const product = await startProduct(state);
  keepSecret(state, 'cloud', await regionSecret());
  const { body } = await product.call('region', 'POST', '/api/v2/regions', {
    body: { metadata: { name: 'cloud' }, spec: { type: 'openstack', openstack: regionSettings('cloud') } },
  });
  const regionId: string = (body as Json).metadata.id;
  const idOf = async (kind: 'flavors' | 'images', name: string): Promise<string> => {
    const { organizationId } = product.credentials;
    const path = `/api/v1/organizations/${organizationId}/regions/${regionId}/${kind}`;
    const offered: readonly Json[] = (await product.call('region', 'GET', path)).body as Json;
    return offered.find(({ metadata }) => metadata.name === name).metadata.id;
  };
  const region: TestRegion = {
    regionId,
    flavorId: await idOf('flavors', 'm1.small'),
    otherFlavorId: await idOf('flavors', 'm1.medium'),
    imageId: await idOf('images', 'debian-12'),
    otherImageId: await idOf('images', 'ubuntu-24.04'),
    patience_ms,
  };
  return {
    product,
    region,
    /** Stops the product, and removes what its organizations have left in a cloud that lives on. */
    stop: async () => {
      const organizations = (await product.call('identity', 'GET', '/api/v1/organizations')).body as Json;
      await product.stop();
      folder.remove();
      if (!inject('cloudIsShared')) return;
      const cloud = await asAdministrator();
      const left: string[] = [];
      for (const { metadata } of organizations) {
        const tag = `organization=${metadata.id}`;
        left.push(...(await cloud('identity', 'GET', `/projects?tags=${tag}`)).projects.map(({ id }: Json) => id));
      }
      await Promise.all(left.map((id) => removeProject(cloud, id)));
    },
  };
}
