import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { fieldLimits } from '@unikorn/core/limits';
import { Condition, labels, provisioningStatuses } from '@unikorn/core/resource';

import { AddressRange, Bytes, common, groupVersion, labelPointer, listOf, ObjectId, VlanId } from './common.ts';
import { defaultPolicyName, SnapshotPolicy, snapshotPolicyRules } from './snapshot-policy.ts';

const place = { segmentationID: Type.Optional(VlanId), ipRange: Type.Optional(AddressRange) };

const AttachmentStatus = Type.Object({
  networkID: ObjectId,
  provisioningStatus: Type.Enum([...provisioningStatuses]),
  ...place,
  message: Type.Optional(Type.String()),
});

/** File storage that the servers of one or more networks of a project share. */
export const FileStorage = defineKind({
  ...groupVersion,
  kind: 'FileStorage',
  plural: 'filestorages',
  spec: Type.Object({
    ...common,
    storageClassID: ObjectId,
    /** Requests can only increase it, but undoing a failed increase must be possible. */
    size: Bytes,
    attachments: Type.Optional(listOf(Type.Object({ networkID: ObjectId, ...place }), fieldLimits.attachments)),
    /** If it is set, the platform's own policy is in the list of policies. */
    defaultSnapshotProtectionEnabled: Type.Boolean(),
    snapshotPolicies: listOf(SnapshotPolicy, fieldLimits.snapshotPolicies + 1),
    nfs: Type.Object({ rootSquash: Type.Boolean() }),
  }),
  status: {
    size: Type.Optional(Bytes),
    mountPath: Type.Optional(Type.String()),
    usage: Type.Optional(Type.Integer({ minimum: 0 })),
    usageTimestamp: Type.Optional(Type.String()),
    attachments: Type.Optional(Type.Array(AttachmentStatus)),
    snapshotPolicies: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), conditions: Type.Optional(Type.Array(Condition)) })),
    ),
  },
  indexedLabels: [labels.project, labels.organization, labels.region],
  immutable: ['/spec/storageClassID', ...[labels.region, labels.organization, labels.project].map(labelPointer)],
  admission: [
    {
      rule: '!has(self.spec.attachments) || self.spec.attachments.all(one, self.spec.attachments.exists_one(other, other.networkID == one.networkID))',
      message: 'file storage can be attached to a network only once',
    },
    {
      rule: `self.spec.defaultSnapshotProtectionEnabled == self.spec.snapshotPolicies.exists(policy, policy.name == "${defaultPolicyName}")`,
      message: 'the default policy must exist if default protection is on, and must not exist if it is off',
    },
    ...snapshotPolicyRules,
  ],
});

export type FileStorage = Resource<typeof FileStorage>;
