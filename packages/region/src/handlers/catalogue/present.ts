import type { Static } from 'typebox';

import { defined } from '@unikorn/core/defined';
import type { DeepReadonly } from '@unikorn/core/kinds';
import { readMetadata } from '@unikorn/core/resource';

import type { Flavors } from '../../api/flavors.ts';
import type { RegionRead } from '../../api/regions.ts';
import { Region } from '../../kinds/index.ts';
import { perObject } from '../../per-object.ts';
import type { Flavor } from '../../provider/index.ts';
import { gib, mib } from '../../units.ts';

export function presentRegion(region: Region): DeepReadonly<Static<typeof RegionRead>> {
  const { provider, openstack, tags } = region.spec;
  return {
    metadata: readMetadata(Region, region, tags),
    spec: { type: provider, features: { physicalNetworks: openstack?.network?.providerNetworks !== undefined } },
  };
}

/** The flavors of a region, from the smallest to the largest. */
export const presentFlavors = perObject((region: Region) =>
  perObject((flavors: readonly Flavor[]): DeepReadonly<Static<typeof Flavors>> =>
    Object.freeze(flavors.toSorted(bySize).map((flavor) => presentFlavor(flavor, region))),
  ),
);

function bySize(a: Flavor, b: Flavor): number {
  return (
    (a.gpu?.logicalCount ?? 0) - (b.gpu?.logicalCount ?? 0) ||
    a.cpus - b.cpus ||
    a.memory_bytes - b.memory_bytes ||
    (a.id < b.id ? -1 : 1)
  );
}

/** It is not known when a flavor was added, so the creation time of the region is shown. */
function presentFlavor(
  { id, name, architecture, cpus, cpuFamily, memory_bytes, disk_gb, gpu, baremetal, pinnedOnly }: Flavor,
  { metadata }: Region,
): DeepReadonly<Static<typeof Flavors>>[number] {
  return {
    metadata: { id, name, creationTime: metadata.creationTimestamp },
    spec: {
      architecture,
      cpus,
      ...defined({ cpuFamily }),
      memory: Math.floor(memory_bytes / gib),
      ...(memory_bytes % gib === 0 ? {} : { memoryMiB: Math.floor(memory_bytes / mib) }),
      disk: disk_gb,
      ...(gpu
        ? {
            gpu: {
              vendor: gpu.vendor,
              model: gpu.model,
              memory: Math.floor(gpu.memory_bytes / gib),
              physicalCount: gpu.physicalCount,
              logicalCount: gpu.logicalCount,
            },
          }
        : {}),
      ...(baremetal ? { baremetal } : {}),
      ...(pinnedOnly ? { pinnedOnly } : {}),
    },
  };
}
