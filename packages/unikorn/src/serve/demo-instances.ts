import { defaultCatalogue } from '@unikorn/region/providers/simulated';

import type { Api } from './api.ts';

/** Where an instance of the demo goes. */
export interface Place {
  readonly organizationId: string;
  readonly projectId: string;
  readonly networkId: string;
}

export interface DemoPlaces {
  readonly website: Place;
  readonly research: Place;
  readonly webSecurityGroupId: string;
  /** Of the region that the research is done in. */
  readonly researchRegionId: string;
}

/** A pair that fits together in either region. */
export const [flavorId, imageId] = [
  named(defaultCatalogue.flavors, 'sim-standard-4').id,
  named(defaultCatalogue.images, 'debian-13-amd64').id,
];

const [gpuFlavorId, gpuImageId] = [
  named(defaultCatalogue.flavors, 'sim-gpu-8').id,
  named(defaultCatalogue.images, 'ubuntu-24.04-gpu-amd64').id,
];

/**
 * Instances in both projects. One of them waits for a GPU in a region where all are taken, so that there is something
 * to be explained.
 */
export async function seedInstances(
  operator: Api,
  user: Api,
  { website, research, webSecurityGroupId, researchRegionId }: DemoPlaces,
): Promise<void> {
  await operator.put(`/region/api/v2/regions/${researchRegionId}/simulation`, { places: { [gpuFlavorId]: 0 } });
  const instance = (name: string, place: Place, spec: object = {}) =>
    user.ensure('/compute/api/v2/instances', { metadata: { name }, spec: { ...place, flavorId, imageId, ...spec } });
  const networking = { publicIP: true, securityGroups: [webSecurityGroupId] };
  for (const name of ['web-1', 'web-2']) await instance(name, website, { networking });
  await instance('notebook', research);
  await instance('trainer', research, { flavorId: gpuFlavorId, imageId: gpuImageId });
}

function named<Item extends { readonly name: string }>(items: readonly Item[], name: string): Item {
  const found = items.find((item) => item.name === name);
  if (!found) throw new Error(`the catalogue of simulated regions has no ${name}`);
  return found;
}
