import { defined } from '@unikorn/core/defined';

import { bytesOf, type Architecture, type Flavor, type VolumeClass } from '../../provider/index.ts';
import type { cinder, nova } from './client/index.ts';

const mib = 2 ** 20;
const gib = 2 ** 30;
const gb = 1e9;

/** The parts of a region's settings that describe its flavors. */
export interface FlavorSettings {
  readonly selector?: { readonly ids: readonly string[] };
  readonly metadata?: readonly FlavorMetadata[];
}

/** Facts about a flavor that OpenStack does not have, or has wrong. */
export interface FlavorMetadata {
  readonly id: string;
  readonly baremetal?: boolean;
  readonly cpu?: { readonly architecture?: Architecture; readonly count?: number; readonly family?: string };
  readonly memory?: string;
  readonly gpu?: Omit<NonNullable<Flavor['gpu']>, 'memory_bytes'> & { readonly memory: string };
  readonly pinnedOnly?: boolean;
}

/**
 * The flavors that a region offers, in order of name: the public ones of the cloud, or those of them that the selector
 * names. The metadata of the region has precedence over the cloud.
 */
export function flavorsOf(
  found: readonly nova.Flavor[],
  { selector, metadata = [] }: FlavorSettings = {},
): readonly Flavor[] {
  const ids = selector?.ids ?? [];
  const described = new Map(metadata.map((one) => [one.id, one]));
  return found
    .filter((flavor) => flavor['os-flavor-access:is_public'] && flavor['OS-FLV-DISABLED:disabled'] !== true)
    .filter(({ id }) => ids.length === 0 || ids.includes(id))
    .map((flavor) => flavorOf(flavor, described.get(flavor.id)))
    .toSorted((one, other) => (`${one.name}/${one.id}` < `${other.name}/${other.id}` ? -1 : 1));
}

function flavorOf(
  { id, name, vcpus, ram, disk }: nova.Flavor,
  { cpu, memory, gpu, baremetal = false, pinnedOnly = false }: Partial<FlavorMetadata> = {},
): Flavor {
  return {
    id,
    name,
    architecture: cpu?.architecture ?? 'x86_64',
    cpus: cpu?.count ?? vcpus,
    ...defined({ cpuFamily: cpu?.family, gpu: gpu && gpuOf(gpu) }),
    memory_bytes: memory === undefined ? ram * mib : bytesOf(memory),
    disk_gb: decimalOf(disk),
    baremetal,
    pinnedOnly,
  };
}

/**
 * Nova counts disks in GiB. The next whole number of GB has room for exactly the images that Nova accepts: it is always
 * less than one more GiB.
 */
function decimalOf(disk_gib: number): number {
  return Math.ceil((disk_gib * gib) / gb);
}

function gpuOf({ memory, ...gpu }: NonNullable<FlavorMetadata['gpu']>): NonNullable<Flavor['gpu']> {
  return { ...gpu, memory_bytes: bytesOf(memory) };
}

/** The parts of a region's settings that describe its volume classes. */
export interface VolumeClassSettings {
  readonly selector?: { readonly ids: readonly string[] };
  readonly metadata?: readonly VolumeClassMetadata[];
}

export interface VolumeClassMetadata {
  readonly id: string;
  readonly media?: VolumeClass['media'];
  readonly performance?: { readonly maxIOPS?: number; readonly maxThroughputMiBps?: number };
  readonly encrypted?: boolean;
}

/** The volume types that the selector names. None without a selector: a type may be reserved for internal use. */
export function volumeClassesOf(
  found: readonly cinder.VolumeType[],
  { selector, metadata = [] }: VolumeClassSettings = {},
): readonly VolumeClass[] {
  const described = new Map(metadata.map((one) => [one.id, one]));
  return found
    .filter(({ id, is_public: isPublic }) => isPublic && selector?.ids.includes(id))
    .map((type) => volumeClassOf(type, described.get(type.id)))
    .toSorted((one, other) => (`${one.name}/${one.id}` < `${other.name}/${other.id}` ? -1 : 1));
}

function volumeClassOf(
  { id, name, description }: cinder.VolumeType,
  { media = 'ssd', performance, encrypted = false }: Partial<VolumeClassMetadata> = {},
): VolumeClass {
  const { maxIOPS, maxThroughputMiBps: maxThroughput_mibps } = performance ?? {};
  return {
    id,
    name,
    description: description ?? '',
    media,
    encrypted,
    // Both caps are shown, or none: a class with one of them would look unlimited in the other.
    ...(maxIOPS === undefined || maxThroughput_mibps === undefined
      ? {}
      : { performance: { maxIOPS, maxThroughput_mibps } }),
  };
}
