import type { Flavor, Image } from '@unikorn/sdk';

import { words } from '../words/index.ts';

const texts = words.instance.form;

/** A flavor with its size. */
export function flavorLabel({ metadata, spec }: Flavor): string {
  return `${metadata.name} (${sizeOf(spec)})`;
}

export function sizeOf({ cpus, memory, disk, gpu }: Flavor['spec']): string {
  const gpus = gpu ? `, ${gpu.physicalCount} × ${gpu.model}` : '';
  return `${cpus} CPU, ${memory} GiB, ${disk} GB${gpus}`;
}

/** Why an image cannot run on a flavor, by the same rule as the service; undefined if it can. */
export function misfitOf({ spec: flavor }: Flavor, { spec: image, status }: Image): string | undefined {
  if (status.state !== 'ready') return texts.imageState(status.state);
  if (image.architecture !== flavor.architecture) return texts.isFor(image.architecture);
  const metal = flavor.baremetal === true;
  if (image.virtualization === 'baremetal' && !metal) return texts.isFor(texts.bareMetal);
  if (image.virtualization === 'virtualized' && metal) return texts.isFor(texts.virtualMachines);
  // Disks of flavors are in GB, images in GiB.
  return image.sizeGiB * 2 ** 30 > flavor.disk * 1e9 ? texts.needsDisk(image.sizeGiB) : undefined;
}
