import { describe, expect, it } from 'vitest';

import type { FlavorRead, ImageRead } from '@unikorn/region/client';

import { checkFit, gpusOf, offeredFlavor, readyImage } from './hardware.ts';

const metadata = { id: 'x', name: 'x', creationTime: '2026-01-01T00:00:00Z' };
const flavor: FlavorRead = { metadata, spec: { architecture: 'x86_64', cpus: 1, memory: 1, disk: 20 } };
const image: ImageRead = {
  metadata,
  spec: {
    architecture: 'x86_64',
    virtualization: 'virtualized',
    sizeGiB: 10,
    os: { kernel: 'linux', family: 'debian', distro: 'debian', version: '13' },
  },
  status: { state: 'ready' },
};
const withSpec = (spec: Partial<FlavorRead['spec']>): FlavorRead => ({ metadata, spec: { ...flavor.spec, ...spec } });
const imageWith = (spec: Partial<ImageRead['spec']>): ImageRead => ({ ...image, spec: { ...image.spec, ...spec } });

describe('a flavor', () => {
  it('must be offered, and not kept for named hosts', () => {
    expect(offeredFlavor([flavor], 'x')).toBe(flavor);
    expect(() => offeredFlavor([flavor], 'y')).toThrow('spec.flavorId: flavor y does not exist');
    expect(() => offeredFlavor([withSpec({ pinnedOnly: true })], 'x')).toThrow(
      'spec.flavorId: flavor x is only for servers that name their host',
    );
  });

  it('is charged for physical GPUs, not for the virtual ones', () => {
    expect(gpusOf(flavor)).toBe(0);
    expect(
      gpusOf(withSpec({ gpu: { vendor: 'NVIDIA', model: 'L4', memory: 1, physicalCount: 2, logicalCount: 14 } })),
    ).toBe(2);
  });
});

describe('an image', () => {
  it.each(['pending', 'creating', 'failed'] as const)('that is %s is refused', (state) => {
    expect(() => readyImage([{ ...image, status: { state } }], 'x')).toThrow(
      `spec.imageId: image x is ${state}; it must be ready`,
    );
  });

  it.each<[string, FlavorRead, ImageRead, string | undefined]>([
    [
      'of another architecture',
      flavor,
      imageWith({ architecture: 'aarch64' }),
      'spec.imageId: does not fit the flavor: it is for aarch64',
    ],
    [
      'larger than the disk',
      flavor,
      imageWith({ sizeGiB: 21 }),
      'spec.imageId: does not fit the flavor: it needs 21 GiB',
    ],
    [
      'for bare metal with a virtual flavor',
      flavor,
      imageWith({ virtualization: 'baremetal' }),
      'spec.imageId: does not fit the flavor: it is for bare metal',
    ],
    [
      'for virtual machines with a bare metal flavor',
      withSpec({ baremetal: true }),
      image,
      'spec.imageId: does not fit the flavor: it is for virtual machines',
    ],
    [
      'for bare metal with a bare metal flavor',
      withSpec({ baremetal: true }),
      imageWith({ virtualization: 'baremetal' }),
      undefined,
    ],
    ['for any with a virtual flavor', flavor, imageWith({ virtualization: 'any' }), undefined],
    [
      'for any with a bare metal flavor',
      withSpec({ baremetal: true }),
      imageWith({ virtualization: 'any' }),
      undefined,
    ],
  ])('%s', (_name, host, disk, refusal) => {
    const check = () => {
      checkFit(host, disk);
    };
    if (refusal === undefined) expect(check).not.toThrow();
    else expect(check).toThrow(refusal);
  });
});
