import type { DomainCondition, StatusPatch } from '@unikorn/core/controller';
import { withCondition, type ConditionUpdate } from '@unikorn/core/resource';

import type { FileStorage, SnapshotPolicy } from '../../kinds/index.ts';
import type {
  Ensured,
  ObservedFileStorage,
  ObservedSnapshots,
  SnapshotPlan,
  WantedFileStorage,
} from '../../provider/index.ts';
import { gib } from '../../units.ts';

/** Networks that cannot be attached, with the reason. */
export type Unattachable = ReadonlyMap<string, string>;

type Attachment = NonNullable<FileStorage['spec']['attachments']>[number];
type Status = NonNullable<FileStorage['status']>;

/** The wanted file storage for the cloud: everything except attachments that are not possible. */
export function wantedFileStorage({ metadata, spec }: FileStorage, unattachable: Unattachable): WantedFileStorage {
  return {
    id: metadata.name,
    size_gib: Math.ceil(spec.size / gib),
    rootSquash: spec.nfs.rootSquash,
    attachments: (spec.attachments ?? []).flatMap(({ networkID: networkId, segmentationID: vlanId, ipRange }) =>
      unattachable.has(networkId) || vlanId === undefined || !ipRange
        ? []
        : [{ networkId, vlanId, startIP: ipRange.startIP, endIP: ipRange.endIP }],
    ),
    snapshotPlans: spec.snapshotPolicies.map(planOf),
  };
}

function planOf({ name, schedule, retention }: SnapshotPolicy): SnapshotPlan {
  return { name, ...schedule, keep: retention.keep };
}

/** The status of the file storage, from the state in the cloud. */
export function statusOf(
  { spec, status }: FileStorage,
  ensured: Ensured<ObservedFileStorage>,
  unattachable: Unattachable,
  now: number,
): StatusPatch<typeof FileStorage> {
  const { observed } = ensured;
  return {
    size: observed.size_gib * gib,
    mountPath: observed.mountPath,
    usage: observed.used_bytes,
    usageTimestamp: observed.usedAt,
    attachments: (spec.attachments ?? []).map((attachment) => attachmentStatus(attachment, ensured, unattachable)),
    snapshotPolicies: spec.snapshotPolicies.map(({ name }) => {
      const known = status?.snapshotPolicies?.find((policy) => policy.name === name);
      const snapshots = ensured.state === 'present' ? observed.snapshots.find((plan) => plan.name === name) : undefined;
      return { name, conditions: withCondition(known?.conditions, policyCondition(snapshots), now) };
    }),
  };
}

function attachmentStatus(
  attachment: Attachment,
  { state, observed }: Ensured<ObservedFileStorage>,
  unattachable: Unattachable,
): NonNullable<Status['attachments']>[number] {
  const { networkID } = attachment;
  const message = unattachable.get(networkID);
  if (message !== undefined) return { networkID, provisioningStatus: 'error', message };
  if (state === 'present' && observed.attachedNetworkIds.includes(networkID))
    return { ...attachment, provisioningStatus: 'provisioned' };
  return { networkID, provisioningStatus: 'provisioning' };
}

function policyCondition(snapshots: ObservedSnapshots | undefined): ConditionUpdate {
  if (!snapshots)
    return { type: 'Available', status: 'False', reason: 'Provisioning', message: 'the cloud has not applied it yet' };
  const { kept, lastTakenAt } = snapshots;
  const message =
    lastTakenAt === undefined
      ? 'no snapshot has been due yet'
      : `${kept} ${kept === 1 ? 'snapshot is' : 'snapshots are'} kept, the last was taken at ${lastTakenAt}`;
  return { type: 'Available', status: 'True', reason: 'Provisioned', message };
}

/** Files can still be used if one network cannot be attached, but not from that network. */
export function healthOf(unattachable: Unattachable): DomainCondition {
  const [first] = unattachable;
  if (!first) return { type: 'Healthy', status: 'True', reason: 'Healthy', message: 'it is ready in the cloud' };
  return {
    type: 'Healthy',
    status: 'False',
    reason: 'Degraded',
    message: `it cannot be attached to network ${first[0]}, because the network ${first[1]}: detach it`,
  };
}
