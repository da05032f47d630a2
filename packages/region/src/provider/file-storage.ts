import type { DeepReadonly } from '@unikorn/core/kinds';
import { Type, type Static } from 'typebox';

import type { Provision, ResourceReference } from './provision.ts';

export const WantedFileStorage = Type.Object({
  id: Type.String(),
  size_gib: Type.Integer({ minimum: 1 }),
  rootSquash: Type.Boolean(),
  /** Each a VLAN and the addresses in it that the storage may answer on. */
  attachments: Type.Array(Type.Object({ networkId: Type.String(), vlanId: Type.Integer(), startIP: Type.String(), endIP: Type.String() })),
});
export type WantedFileStorage = DeepReadonly<Static<typeof WantedFileStorage>>;

export interface ObservedFileStorage {
  readonly providerId: string;
  readonly size_gib: number;
  readonly used_bytes: number;
  /** When the use was measured. */
  readonly usedAt: string;
  readonly mountPath: string;
  readonly attachedNetworkIds: readonly string[];
}

/** It may serve several networks, so it belongs to a project and not to the identity of one. */
export interface ProjectReference {
  readonly organizationId: string;
  readonly projectId: string;
}

export type FileStorages = Provision<ResourceReference, WantedFileStorage, ObservedFileStorage, ProjectReference>;
