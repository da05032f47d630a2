import { labels } from '@unikorn/core/resource';
import { systemWorld as world } from '@unikorn/core/world';
import { Region } from '@unikorn/region';
import { defaultCatalogue, simulatedOperator } from '@unikorn/region/providers/simulated';

import type { Place } from './compute-orders.ts';
import type { Services } from './services.ts';

const [flavor] = defaultCatalogue.flavors;
const [image] = defaultCatalogue.images;
export const flavorId = flavor?.id ?? '';
export const imageId = image?.id ?? '';

/** Projects of several organizations, each with a provisioned network, in a simulated region without delays. */
export async function furnish(
  { store, found, ask }: Services,
  { organizations, projectsEach }: { readonly organizations: number; readonly projectsEach: number },
): Promise<readonly Place[]> {
  const regionId = world.uuid();
  await store.create(Region, {
    metadata: { name: regionId, labels: { [labels.name]: 'bench' } },
    spec: { provider: 'simulated' },
  });
  const serversPerIdentity = 1_000_000;
  await simulatedOperator({ store, world, regionId }).turn({
    call_ms: 0,
    build_ms: 0,
    delete_ms: 0,
    serversPerIdentity,
    places: { [flavorId]: 10_000_000 },
  });
  const places: Place[] = [];
  for (let organization = 0; organization < organizations; organization++) {
    const organizationId = await found.organization();
    const quotas = (['networks', 'servers'] as const).map((kind) => ({ kind, quantity: 1_000_000 }));
    await ask('PUT', `/identity/api/v1/organizations/${organizationId}/quotas`, { quotas });
    for (let project = 0; project < projectsEach; project++) {
      const projectId = await found.project(organizationId);
      const spec = { organizationId, projectId, regionId, prefix: '10.0.0.0/8', dnsNameservers: [] };
      const { metadata } = await ask('POST', '/region/api/v2/networks', { metadata: { name: 'network' }, spec });
      places.push({ organizationId, projectId, networkId: metadata.id });
    }
  }
  return places;
}
