import type { Flavor, Image } from '../provider/index.ts';
import { gib } from '../units.ts';

const gigabyte = 10 ** 9;

type Host = Pick<Flavor, 'architecture' | 'disk_gb' | 'baremetal'>;
type Disk = Pick<Image, 'architecture' | 'size_gib' | 'virtualization'>;

/**
 * Why a server of this flavor cannot run this image; undefined if it can. Clouds count flavor disks in decimal units
 * and image sizes in binary ones, so bytes are compared.
 *
 * @example imageFits(flavor, image) // it needs 30 GiB of disk and the flavor has 20 GB
 */
export function imageFits({ architecture, disk_gb, baremetal }: Host, image: Disk): string | undefined {
  if (image.architecture !== architecture) return `it is for ${image.architecture}, and the flavor is ${architecture}`;
  if (image.size_gib * gib > disk_gb * gigabyte)
    return `it needs ${image.size_gib} GiB of disk, and the flavor has ${disk_gb} GB`;
  switch (image.virtualization) {
    case 'any':
      return undefined;
    case 'baremetal':
      return baremetal ? undefined : 'it is for bare metal, and the flavor is virtual';
    case 'virtualized':
      return baremetal ? 'it is for virtual machines, and the flavor is bare metal' : undefined;
  }
}
