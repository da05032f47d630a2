import type { Flavor, Image } from '@unikorn/sdk';

import { misfitOf } from '../../catalog/fit.ts';

/** The smallest machine that an image of the region fits, without special hardware. */
export function smallestFit(
  flavors: readonly Flavor[],
  images: readonly Image[],
): { readonly flavor: string; readonly image: string } | undefined {
  const usual = flavors
    .filter(({ spec }) => spec.baremetal !== true && spec.pinnedOnly !== true && !spec.gpu)
    .toSorted((one, other) => one.spec.cpus - other.spec.cpus || one.spec.memory - other.spec.memory);
  for (const flavor of usual) {
    const image = images.find((each) => misfitOf(flavor, each) === undefined);
    if (image) return { flavor: flavor.metadata.id, image: image.metadata.id };
  }
  return undefined;
}
