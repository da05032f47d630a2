import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { imageFits } from './index.ts';

const flavor = { architecture: 'x86_64', disk_gb: 100, baremetal: false } as const;
const image = { architecture: 'x86_64', size_gib: 20, virtualization: 'virtualized' } as const;

describe('whether an image fits a flavor', () => {
  it.each([
    ['one of the same sort', flavor, image, undefined],
    [
      'one for another architecture',
      flavor,
      { ...image, architecture: 'aarch64' } as const,
      'it is for aarch64, and the flavor is x86_64',
    ],
    [
      'one that is larger than the disk',
      flavor,
      { ...image, size_gib: 200 },
      'it needs 200 GiB of disk, and the flavor has 100 GB',
    ],
    [
      'one as many GiB large as the disk has GB',
      flavor,
      { ...image, size_gib: 100 },
      'it needs 100 GiB of disk, and the flavor has 100 GB',
    ],
    ['one that leaves a little of the disk', flavor, { ...image, size_gib: 93 }, undefined],
    [
      'one for bare metal on a virtual flavor',
      flavor,
      { ...image, virtualization: 'baremetal' } as const,
      'it is for bare metal, and the flavor is virtual',
    ],
    [
      'one for bare metal on bare metal',
      { ...flavor, baremetal: true },
      { ...image, virtualization: 'baremetal' } as const,
      undefined,
    ],
    [
      'one for virtual machines on bare metal',
      { ...flavor, baremetal: true },
      image,
      'it is for virtual machines, and the flavor is bare metal',
    ],
    [
      'one for any on bare metal',
      { ...flavor, baremetal: true },
      { ...image, virtualization: 'any' } as const,
      undefined,
    ],
  ])('%s', (_name, host, disk, reason) => {
    expect(imageFits(host, disk)).toBe(reason);
  });

  it('a disk that fits fits every flavor with a larger one', () => {
    fc.assert(
      fc.property(fc.nat(5_000), fc.nat(5_000), fc.nat(5_000), (disk_gb, more, size_gib) => {
        if (imageFits({ ...flavor, disk_gb }, { ...image, size_gib }) === undefined)
          expect(imageFits({ ...flavor, disk_gb: disk_gb + more }, { ...image, size_gib })).toBeUndefined();
      }),
    );
  });
});
