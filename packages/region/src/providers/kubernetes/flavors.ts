import { defined } from '@unikorn/core/defined';

import { bytesOf, type Architecture, type Flavor } from '../../provider/index.ts';
import { nodeClassLabel, type Node } from './nodes.ts';

/** A node class that an operator describes. Sizes are numbers of bytes, with or without a binary unit. */
export interface NodeClass {
  readonly id: string;
  readonly name: string;
  readonly cpu: { readonly architecture?: Architecture; readonly count?: number; readonly family?: string };
  readonly memory: string;
  readonly disk: string;
  readonly gpu?: {
    readonly vendor: 'NVIDIA' | 'AMD';
    readonly model: string;
    readonly physicalCount: number;
    readonly logicalCount: number;
    readonly memory: string;
  };
}

/**
 * The classes that have at least one node. Settings of the operator have priority; missing values are read from the
 * nodes. A class with an unknown number of CPUs is not offered.
 */
export function flavorsOf(classes: readonly NodeClass[], nodes: readonly Node[]): readonly Flavor[] {
  const byClass = Map.groupBy(nodes, ({ metadata }) => metadata.labels?.[nodeClassLabel]);
  return classes.flatMap((described) => {
    const members = byClass.get(described.id);
    return members ? (flavorOf(described, members) ?? []) : [];
  });
}

function flavorOf({ id, name, cpu, memory, disk, gpu }: NodeClass, members: readonly Node[]): Flavor | undefined {
  const cpus = cpu.count ?? fewestCpus(members);
  if (cpus === undefined) return undefined;
  return {
    id,
    name,
    architecture: cpu.architecture ?? commonArchitecture(members) ?? 'x86_64',
    cpus,
    ...defined({ cpuFamily: cpu.family }),
    memory_bytes: bytesOf(memory),
    disk_gb: Math.floor(bytesOf(disk) / 1e9),
    ...(gpu ? { gpu: gpuOf(gpu) } : {}),
    baremetal: false,
    pinnedOnly: false,
  };
}

function gpuOf({ memory, ...gpu }: NonNullable<NodeClass['gpu']>): NonNullable<Flavor['gpu']> {
  return {
    vendor: gpu.vendor,
    model: gpu.model,
    physicalCount: gpu.physicalCount,
    logicalCount: gpu.logicalCount,
    memory_bytes: bytesOf(memory),
  };
}

/** The number of CPUs that every node of the class has. */
function fewestCpus(members: readonly Node[]): number | undefined {
  const counts = members.flatMap(({ status }) => wholeCpus(status?.capacity?.cpu) ?? []);
  return counts.length > 0 ? Math.min(...counts) : undefined;
}

/** Kubernetes writes CPUs as whole numbers or in thousandths. */
function wholeCpus(quantity: string | undefined): number | undefined {
  const [, digits, unit] = /^([0-9]+)(m?)$/.exec(quantity ?? '') ?? [];
  const count = Math.floor(Number(digits) / (unit === 'm' ? 1000 : 1));
  return count >= 1 ? count : undefined;
}

const architectures: ReadonlyMap<string, Architecture> = new Map([
  ['amd64', 'x86_64'],
  ['arm64', 'aarch64'],
]);

/** The architecture of the first node that reports one: all nodes of a class have the same hardware. */
function commonArchitecture(members: readonly Node[]): Architecture | undefined {
  const [first] = members.flatMap(
    ({ metadata, status }) =>
      architectures.get(metadata.labels?.['kubernetes.io/arch'] ?? status?.nodeInfo?.architecture ?? '') ?? [],
  );
  return first;
}
