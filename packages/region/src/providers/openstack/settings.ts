import type { Interface } from './client/index.ts';

/** The settings of a region, as `spec.openstack` of a Region has them. */
export interface OpenstackSettings {
  /** Of Keystone. */
  readonly endpoint: string;
  /** The region of the cloud; must be given where it has several. */
  readonly regionName?: string;
  readonly interface?: Interface;
  readonly tls?: { readonly verify?: boolean; readonly authority?: string };
  readonly identity?: { readonly clusterRoles?: readonly string[] };
  readonly compute?: ComputeSettings;
  readonly image?: {
    readonly selector?: { readonly signingKey?: string };
    /** IPv4 prefixes from which images may be imported, besides public addresses. */
    readonly privateSources?: readonly string[];
  };
  readonly network?: NetworkSpec;
  readonly blockStorage?: {
    readonly volumeClasses?: {
      readonly selector?: { readonly ids: readonly string[] };
      readonly metadata?: readonly VolumeClassMetadata[];
    };
  };
}

export interface ComputeSettings {
  readonly serverGroupPolicy?: string;
  readonly placementPreflight?: { readonly enabled: boolean; readonly requiredTraits?: readonly string[] };
  readonly flavors?: {
    readonly selector?: { readonly ids: readonly string[] };
    readonly metadata?: readonly FlavorMetadata[];
  };
}

/** Data about a flavor that OpenStack does not provide, or provides wrongly. */
export interface FlavorMetadata {
  readonly id: string;
  readonly baremetal?: boolean;
  readonly cpu?: {
    readonly architecture?: 'x86_64' | 'aarch64';
    readonly count?: number;
    readonly family?: string;
  };
  readonly memory?: string;
  readonly gpu?: {
    readonly vendor: 'NVIDIA' | 'AMD';
    readonly model: string;
    readonly physicalCount: number;
    readonly logicalCount: number;
    readonly memory: string;
  };
  readonly pinnedOnly?: boolean;
}

export interface VolumeClassMetadata {
  readonly id: string;
  readonly media?: 'hdd' | 'ssd' | 'nvme';
  readonly performance?: { readonly maxIOPS?: number; readonly maxThroughputMiBps?: number };
  readonly encrypted?: boolean;
}

export interface NetworkSpec {
  readonly externalNetworks?: {
    readonly selector: { readonly ids?: readonly string[]; readonly tags?: readonly string[] };
  };
  readonly providerNetworks?: {
    readonly physicalNetwork?: string;
    readonly vlan?: { readonly segments: readonly { readonly startId: number; readonly endId: number }[] };
  };
}
