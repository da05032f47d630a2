import type { DeepReadonly } from '@unikorn/core/kinds';
import { Type, type Static } from 'typebox';

import type { Provision, ResourceReference } from './provision.ts';

/**
 * When snapshots are taken, in UTC, and how many of them are kept. Each interval has exactly the fields that it needs.
 */
const SnapshotPlan = Type.Object({
  name: Type.String(),
  interval: Type.Union([
    Type.Literal('hourly'),
    Type.Literal('daily'),
    Type.Literal('weekly'),
    Type.Literal('monthly'),
  ]),
  /** Such as `04:00Z`. */
  timeOfDay: Type.Optional(Type.String()),
  dayOfWeek: Type.Optional(Type.Enum(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'])),
  dayOfMonth: Type.Optional(Type.Integer({ minimum: 1, maximum: 28 })),
  keep: Type.Integer({ minimum: 1 }),
});
export type SnapshotPlan = DeepReadonly<Static<typeof SnapshotPlan>>;

export const WantedFileStorage = Type.Object({
  id: Type.String(),
  size_gib: Type.Integer({ minimum: 1 }),
  rootSquash: Type.Boolean(),
  /** For each network: its VLAN and the addresses in it that the storage may use. */
  attachments: Type.Array(
    Type.Object({ networkId: Type.String(), vlanId: Type.Integer(), startIP: Type.String(), endIP: Type.String() }),
  ),
  snapshotPlans: Type.Array(SnapshotPlan),
});
export type WantedFileStorage = DeepReadonly<Static<typeof WantedFileStorage>>;

/** The results of a plan so far. */
export interface ObservedSnapshots {
  readonly name: string;
  readonly kept: number;
  readonly lastTakenAt?: string;
}

export interface ObservedFileStorage {
  readonly providerId: string;
  readonly size_gib: number;
  readonly used_bytes: number;
  /** When the usage was measured. */
  readonly usedAt: string;
  readonly mountPath: string;
  readonly attachedNetworkIds: readonly string[];
  /** The active plans. */
  readonly snapshots: readonly ObservedSnapshots[];
}

/** File storage can serve several networks, so it belongs to a project and not to the identity of one network. */
export interface ProjectReference {
  readonly organizationId: string;
  readonly projectId: string;
}

export type FileStorages = Provision<ResourceReference, WantedFileStorage, ObservedFileStorage, ProjectReference>;
