import type { Static } from 'typebox';

import { defined } from '@unikorn/core/defined';
import type { DeepReadonly } from '@unikorn/core/kinds';

import type { ImageRead } from '../../api/images.ts';
import { perObject } from '../../per-object.ts';
import type { Image } from '../../provider/index.ts';

export const presentImages = perObject((images: readonly Image[]) => Object.freeze(images.map(presentImage)));

/** An image in the API. Its tags say which organization owns it. */
export function presentImage({
  id,
  name,
  description,
  tags,
  createdAt,
  architecture,
  size_gib,
  virtualization,
  os,
  softwareVersions,
  gpu,
  state,
}: Image): DeepReadonly<Static<typeof ImageRead>> {
  const sorted = tags.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    metadata: {
      id,
      name,
      ...defined({ description }),
      creationTime: createdAt,
      ...(sorted.length > 0 ? { tags: sorted } : {}),
    },
    spec: {
      architecture,
      sizeGiB: size_gib,
      virtualization,
      os,
      ...(Object.keys(softwareVersions).length > 0 ? { softwareVersions } : {}),
      ...(gpu
        ? { gpu: { vendor: gpu.vendor, driver: gpu.driver, ...(gpu.models.length > 0 ? { models: gpu.models } : {}) } }
        : {}),
    },
    status: { state },
  };
}
