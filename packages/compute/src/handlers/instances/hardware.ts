import { Problem } from '@unikorn/core/errors';
import { imageFits, type FlavorRead, type ImageRead } from '@unikorn/region/client';

import { isOffered } from '../catalogue/offer.ts';

function invalid(message: string): Problem {
  return new Problem('invalid_request', message);
}

/** The requested flavor, if instances can use it. */
export function offeredFlavor(flavors: readonly FlavorRead[], flavorId: string): FlavorRead {
  const flavor = flavors.find(({ metadata }) => metadata.id === flavorId);
  if (!flavor)
    throw invalid(
      `spec.flavorId: flavor ${flavorId} does not exist in the region of the network, or you may not use it`,
    );
  if (!isOffered(flavor))
    throw invalid(`spec.flavorId: flavor ${flavorId} is only for servers that name their host; choose another flavor`);
  return flavor;
}

/** The requested image, if it is ready. */
export function readyImage(images: readonly ImageRead[], imageId: string): ImageRead {
  const image = images.find(({ metadata }) => metadata.id === imageId);
  if (!image)
    throw invalid(`spec.imageId: image ${imageId} does not exist in the region of the network, or you may not use it`);
  if (image.status.state !== 'ready')
    throw invalid(`spec.imageId: image ${imageId} is ${image.status.state}; it must be ready`);
  return image;
}

/** Refuses an image that cannot run on a flavor. */
export function checkFit(
  { spec: { architecture, disk, baremetal = false } }: FlavorRead,
  { spec: image }: ImageRead,
): void {
  const misfit = imageFits(
    { architecture, disk_gb: disk, baremetal },
    { architecture: image.architecture, size_gib: image.sizeGiB, virtualization: image.virtualization },
  );
  if (misfit !== undefined) throw invalid(`spec.imageId: does not fit the flavor: ${misfit}`);
}

/** The number of GPUs that a flavor is charged for. */
export function gpusOf({ spec: { gpu } }: FlavorRead): number {
  return gpu?.physicalCount ?? 0;
}
