import type { DeepReadonly } from '@unikorn/core/kinds';
import { Type, type Static } from 'typebox';

import type { Provision, ResourceReference } from './provision.ts';

/**
 * When snapshots are taken, in UTC, and how many of them are kept. Each interval has the moments it needs, and no
 * others.
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
  /** Each a VLAN and the addresses in it that the storage may answer on. */
  attachments: Type.Array(
    Type.Object({ networkId: Type.String(), vlanId: Type.Integer(), startIP: Type.String(), endIP: Type.String() }),
  ),
  snapshotPlans: Type.Array(SnapshotPlan),
});
export type WantedFileStorage = DeepReadonly<Static<typeof WantedFileStorage>>;

/** What came of a plan so far. */
export interface ObservedSnapshots {
  readonly name: string;
  readonly kept: number;
  readonly lastTakenAt?: string;
}

export interface ObservedFileStorage {
  readonly providerId: string;
  readonly size_gib: number;
  readonly used_bytes: number;
  /** When the use was measured. */
  readonly usedAt: string;
  readonly mountPath: string;
  readonly attachedNetworkIds: readonly string[];
  /** The plans that are followed. */
  readonly snapshots: readonly ObservedSnapshots[];
}

/** It may serve several networks, so it belongs to a project and not to the identity of one. */
export interface ProjectReference {
  readonly organizationId: string;
  readonly projectId: string;
}

export type FileStorages = Provision<ResourceReference, WantedFileStorage, ObservedFileStorage, ProjectReference>;
