import type { ExternalNetwork, Flavor, Image, VolumeClass } from '../../provider/index.ts';

const gib = 2 ** 30;

/** The initial catalogue of a simulated region. */
export interface Catalogue {
  readonly flavors: readonly Flavor[];
  /** Number of servers that fit, by flavor id. */
  readonly places: Readonly<Record<string, number>>;
  readonly volumeClasses: readonly VolumeClass[];
  readonly images: readonly Image[];
  /** Public addresses come from the first one. */
  readonly externalNetworks: readonly [SimulatedExternalNetwork, ...SimulatedExternalNetwork[]];
}

export interface SimulatedExternalNetwork extends ExternalNetwork {
  readonly prefix: string;
}

const ordinary = { architecture: 'x86_64', cpuFamily: 'Simulated Xeon', baremetal: false, pinnedOnly: false } as const;

const flavors: readonly Flavor[] = [
  {
    ...ordinary,
    id: '11111111-1111-1111-1111-111111111111',
    name: 'sim-standard-4',
    cpus: 4,
    memory_bytes: 8 * gib,
    disk_gb: 100,
  },
  // Other sizes of the same family, so that a resize can be tried.
  ...[
    { id: '11111111-1111-4111-8111-000000000002', cpus: 2 },
    { id: '11111111-1111-4111-8111-000000000008', cpus: 8 },
    { id: '11111111-1111-4111-8111-000000000016', cpus: 16 },
  ].map(({ id, cpus }) => ({
    ...ordinary,
    id,
    name: `sim-standard-${cpus}`,
    cpus,
    memory_bytes: 2 * cpus * gib,
    disk_gb: 100,
  })),
  {
    ...ordinary,
    id: '22222222-2222-2222-2222-222222222222',
    name: 'sim-gpu-8',
    cpus: 8,
    memory_bytes: 16 * gib,
    disk_gb: 200,
    gpu: { vendor: 'NVIDIA', model: 'L4', memory_bytes: 16 * gib, physicalCount: 1, logicalCount: 1 },
  },
  {
    ...ordinary,
    id: '77777777-7777-7777-7777-777777777777',
    name: 'sim-gpu-amd-96',
    cpus: 96,
    memory_bytes: 1024 * gib,
    disk_gb: 2000,
    gpu: { vendor: 'AMD', model: 'MI300X', memory_bytes: 192 * gib, physicalCount: 8, logicalCount: 8 },
  },
  {
    ...ordinary,
    id: '88888888-8888-8888-8888-888888888888',
    name: 'sim-arm-8',
    architecture: 'aarch64',
    cpuFamily: 'Simulated Neoverse',
    cpus: 8,
    memory_bytes: 32 * gib,
    disk_gb: 200,
  },
  {
    ...ordinary,
    id: '99999999-9999-9999-9999-999999999999',
    name: 'sim-metal-64',
    cpus: 64,
    memory_bytes: 512 * gib,
    disk_gb: 4000,
    baremetal: true,
  },
];

const places: Catalogue['places'] = {
  '11111111-1111-1111-1111-111111111111': 100_000,
  '11111111-1111-4111-8111-000000000002': 100_000,
  '11111111-1111-4111-8111-000000000008': 100_000,
  '11111111-1111-4111-8111-000000000016': 100_000,
  '22222222-2222-2222-2222-222222222222': 64,
  '77777777-7777-7777-7777-777777777777': 4,
  '88888888-8888-8888-8888-888888888888': 256,
  '99999999-9999-9999-9999-999999999999': 8,
};

const volumeClasses: readonly VolumeClass[] = [
  {
    id: '33333333-3333-3333-3333-333333333333',
    name: 'sim-standard-volume',
    description: 'Everyday block storage',
    media: 'ssd',
    encrypted: false,
  },
  {
    id: '44444444-4444-4444-4444-444444444444',
    name: 'sim-fast-volume',
    description: 'Fast encrypted block storage',
    media: 'nvme',
    performance: { maxIOPS: 25_000, maxThroughput_mibps: 500 },
    encrypted: true,
  },
];

const ubuntu = {
  tags: [],
  architecture: 'x86_64',
  virtualization: 'virtualized',
  os: { kernel: 'linux', family: 'debian', distro: 'ubuntu', version: '24.04', codename: 'noble' },
  softwareVersions: {},
  size_gib: 20,
  state: 'ready',
  createdAt: '2025-01-01T00:00:00Z',
} as const;

const images: readonly Image[] = [
  {
    ...ubuntu,
    id: '33333333-3333-3333-3333-333333333333',
    name: 'ubuntu-24.04-amd64',
    softwareVersions: { kubernetes: 'v1.31.0' },
  },
  {
    ...ubuntu,
    id: '44444444-4444-4444-4444-444444444444',
    name: 'ubuntu-24.04-gpu-amd64',
    size_gib: 30,
    gpu: { vendor: 'NVIDIA', driver: '550.54.15', models: ['L4'] },
  },
  { ...ubuntu, id: 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa', name: 'ubuntu-24.04-arm64', architecture: 'aarch64' },
  {
    ...ubuntu,
    id: 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb',
    name: 'ubuntu-24.04-metal-amd64',
    virtualization: 'baremetal',
    size_gib: 40,
  },
  {
    ...ubuntu,
    id: 'cccccccc-cccc-4ccc-8ccc-cccccccccccc',
    name: 'debian-13-amd64',
    virtualization: 'any',
    os: { kernel: 'linux', family: 'debian', distro: 'debian', version: '13', codename: 'trixie' },
    size_gib: 10,
  },
];

/** The addresses are those reserved for benchmarks, which are not routed in real networks. */
export const defaultCatalogue: Catalogue = {
  flavors,
  places,
  volumeClasses,
  images,
  externalNetworks: [
    { id: '55555555-5555-5555-5555-555555555555', name: 'sim-public', prefix: '198.18.0.0/16' },
    { id: '66666666-6666-6666-6666-666666666666', name: 'sim-public-secondary', prefix: '198.19.0.0/16' },
  ],
};

/**
 * The catalogue of a region that offers only some flavors; all of them by default.
 *
 * @example simulatedProvider({ store, world, regionId }, catalogueFor(region.spec.simulated));
 */
export function catalogueFor({ flavorIDs }: { readonly flavorIDs?: readonly string[] } = {}): Catalogue {
  return flavorIDs
    ? { ...defaultCatalogue, flavors: flavors.filter(({ id }) => flavorIDs.includes(id)) }
    : defaultCatalogue;
}
