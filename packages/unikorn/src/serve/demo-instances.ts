import { defaultCatalogue } from '@unikorn/region/providers/simulated';

import type { Api } from './api.ts';

/** The project and network of a demo instance. */
export interface Place {
  readonly organizationId: string;
  readonly projectId: string;
  readonly networkId: string;
}

export interface DemoPlaces {
  readonly website: Place;
  readonly research: Place;
  readonly webSecurityGroupId: string;
  /** The region of the research project. */
  readonly researchRegionId: string;
}

/** A compatible flavor and image of both regions. */
export const [flavorId, imageId] = [
  named(defaultCatalogue.flavors, 'sim-standard-4').id,
  named(defaultCatalogue.images, 'debian-13-amd64').id,
];

const [gpuFlavorId, gpuImageId] = [
  named(defaultCatalogue.flavors, 'sim-gpu-8').id,
  named(defaultCatalogue.images, 'ubuntu-24.04-gpu-amd64').id,
];

/**
 * Instances in both projects. One of them waits for a GPU in a region where all GPUs are in use, so that there is a
 * problem to explain.
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
