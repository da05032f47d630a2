import { describe, expect, it } from 'vitest';

import { flavorsOf, volumeClassesOf } from './catalogue.ts';
import type { cinder, nova } from './client/index.ts';

function flavor(id: string, changes: Partial<nova.Flavor> = {}): nova.Flavor {
  return { id, name: `m1.${id}`, vcpus: 2, ram: 2048, disk: 20, 'os-flavor-access:is_public': true, ...changes };
}

describe('flavors', () => {
  it('are the public ones that are enabled, in order of name', () => {
    const found = [
      flavor('b'),
      flavor('a'),
      flavor('c', { 'os-flavor-access:is_public': false }),
      flavor('d', { 'OS-FLV-DISABLED:disabled': true }),
    ];
    expect(flavorsOf(found).map(({ name }) => name)).toEqual(['m1.a', 'm1.b']);
  });

  it('have what the cloud says, in our units', () => {
    expect(flavorsOf([flavor('a')])).toEqual([
      {
        id: 'a',
        name: 'm1.a',
        architecture: 'x86_64',
        cpus: 2,
        memory_bytes: 2 ** 31,
        disk_gb: 22,
        baremetal: false,
        pinnedOnly: false,
      },
    ]);
  });

  it('have a disk with room for all images that the cloud puts on it, and for no larger one', () => {
    for (let disk = 0; disk <= 5_000; disk += 1) {
      const [{ disk_gb } = { disk_gb: 0 }] = flavorsOf([flavor('a', { disk })]);
      expect(Math.floor((disk_gb * 1e9) / 2 ** 30)).toBe(disk);
    }
  });

  it('have what the operator says instead, and what the cloud does not know', () => {
    const metadata = {
      id: 'a',
      baremetal: true,
      pinnedOnly: true,
      cpu: { architecture: 'aarch64', count: 64, family: 'Neoverse' },
      memory: '512Gi',
      gpu: { vendor: 'NVIDIA', model: 'H100', physicalCount: 4, logicalCount: 8, memory: '40Gi' },
    } as const;
    expect(flavorsOf([flavor('a')], { metadata: [metadata] })).toEqual([
      {
        id: 'a',
        name: 'm1.a',
        architecture: 'aarch64',
        cpus: 64,
        cpuFamily: 'Neoverse',
        memory_bytes: 512 * 2 ** 30,
        disk_gb: 22,
        gpu: { vendor: 'NVIDIA', model: 'H100', physicalCount: 4, logicalCount: 8, memory_bytes: 40 * 2 ** 30 },
        baremetal: true,
        pinnedOnly: true,
      },
    ]);
  });

  it('are those that the selector names, and no flavor is made up', () => {
    const named = (...ids: readonly string[]) =>
      flavorsOf([flavor('a'), flavor('b')], { selector: { ids }, metadata: [{ id: 'x' }] }).map(({ id }) => id);
    expect(named('b', 'x')).toEqual(['b']);
    expect(named()).toEqual(['a', 'b']);
  });
});

describe('volume classes', () => {
  const type = (id: string, changes: Partial<cinder.VolumeType> = {}): cinder.VolumeType => ({
    id,
    name: id,
    description: null,
    is_public: true,
    ...changes,
  });

  it('are none without a selector, and only public ones with one', () => {
    const found = [type('a'), type('b', { is_public: false })];
    expect(volumeClassesOf(found)).toEqual([]);
    expect(volumeClassesOf(found, { selector: { ids: [] } })).toEqual([]);
    expect(volumeClassesOf(found, { selector: { ids: ['a', 'b'] } }).map(({ id }) => id)).toEqual(['a']);
  });

  it('have what the operator says of them', () => {
    const selector = { ids: ['a'] };
    expect(volumeClassesOf([type('a', { description: 'Fast' })], { selector })).toEqual([
      { id: 'a', name: 'a', description: 'Fast', media: 'ssd', encrypted: false },
    ]);
    const metadata = [
      { id: 'a', media: 'nvme', encrypted: true, performance: { maxIOPS: 10, maxThroughputMiBps: 20 } },
    ] as const;
    expect(volumeClassesOf([type('a')], { selector, metadata })).toEqual([
      {
        id: 'a',
        name: 'a',
        description: '',
        media: 'nvme',
        encrypted: true,
        performance: { maxIOPS: 10, maxThroughput_mibps: 20 },
      },
    ]);
    const oneCap = [{ id: 'a', performance: { maxIOPS: 10 } }];
    expect(volumeClassesOf([type('a')], { selector, metadata: oneCap })[0]).not.toHaveProperty('performance');
  });
});
