import type { Architecture } from './image.ts';

export interface Flavor {
  readonly id: string;
  readonly name: string;
  readonly architecture: Architecture;
  readonly cpus: number;
  readonly cpuFamily?: string;
  readonly memory_bytes: number;
  /** In decimal units, as clouds count disks. */
  readonly disk_gb: number;
  readonly gpu?: {
    readonly vendor: 'NVIDIA' | 'AMD';
    readonly model: string;
    /** Memory of each logical GPU. */
    readonly memory_bytes: number;
    readonly physicalCount: number;
    readonly logicalCount: number;
  };
  readonly baremetal: boolean;
  /** Only for servers that name their host. */
  readonly pinnedOnly: boolean;
}

export interface VolumeClass {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly media: 'hdd' | 'ssd' | 'nvme';
  readonly performance?: { readonly maxIOPS: number; readonly maxThroughput_mibps: number };
  readonly encrypted: boolean;
}

export interface ExternalNetwork {
  readonly id: string;
  readonly name: string;
}
