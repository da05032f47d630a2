import { Type } from 'typebox';

import { fieldLimits } from '@unikorn/core/limits';
import { provisioningStatuses, WireProjectScopedMetadata, WireWriteMetadata } from '@unikorn/core/resource';

import { limits } from '../limits.ts';
import { BodyId, namedList, oneOf } from './common.ts';

const PolicyName = Type.String({
  maxLength: 19,
  pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$',
  description:
    'a name of at most 19 lower case letters, digits and hyphens that begins with a letter and does not end with a hyphen',
});
const ProvisioningStatus = oneOf([...provisioningStatuses], 'resourceProvisioningStatus');

const Schedule = Type.Object(
  {
    interval: oneOf(['hourly', 'daily', 'weekly', 'monthly'], 'storageSnapshotScheduleIntervalV2'),
    timeOfDay: Type.Optional(
      Type.String({
        maxLength: 6,
        pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]Z$',
        description: 'a time of day in UTC such as 04:30Z; required for every interval except hourly',
      }),
    ),
    dayOfWeek: Type.Optional(
      oneOf(
        ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
        'storageSnapshotDayOfWeekV2',
      ),
    ),
    dayOfMonth: Type.Optional(Type.Integer({ minimum: 1, maximum: 28 })),
  },
  { $id: 'storageSnapshotScheduleV2Spec' },
);
const Retention = Type.Object(
  { keep: Type.Integer({ minimum: 1, maximum: limits.snapshotsKept }) },
  { $id: 'storageSnapshotRetentionV2Spec' },
);
const PolicySpec = Type.Object(
  { name: PolicyName, schedule: Schedule, retention: Retention },
  { $id: 'storageSnapshotPolicyV2Spec' },
);
const PolicySpecs = namedList(PolicySpec, fieldLimits.snapshotPolicies, 'storageSnapshotPolicyListV2Spec');

const NfsSpec = Type.Object({ rootSquash: Type.Boolean() }, { $id: 'NFSV2Spec' });
const StorageTypeSpec = Type.Object({ NFS: Type.Optional(NfsSpec) }, { $id: 'storageTypeV2Spec' });
const NetworkIds = namedList(Type.String({ maxLength: fieldLimits.id }), fieldLimits.attachments, 'networkIDList');
const AttachmentSpec = Type.Object({ networkIds: NetworkIds }, { $id: 'storageAttachmentV2Spec' });

const spec = {
  sizeGiB: Type.Integer({ format: 'int64' }),
  storageType: StorageTypeSpec,
  attachments: Type.Optional(AttachmentSpec),
  defaultSnapshotProtectionEnabled: Type.Optional(
    Type.Boolean({ description: 'whether the platform takes daily snapshots and keeps them for a week' }),
  ),
  snapshotPolicies: Type.Optional(PolicySpecs),
};

const StorageSpec = Type.Object(spec, { $id: 'storageV2Spec' });

const AttachmentStatus = Type.Object(
  {
    networkId: Type.String(),
    mountSource: Type.Optional(Type.String({ description: 'the path that servers of the network mount' })),
    mountOptions: Type.Optional(
      Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string' } }),
    ),
    provisioningStatus: ProvisioningStatus,
  },
  { $id: 'storageAttachmentV2Status' },
);
const PolicyStatus = Type.Object(
  { name: PolicyName, provisioningStatus: ProvisioningStatus, message: Type.Optional(Type.String()) },
  { $id: 'storageSnapshotPolicyV2Status' },
);
const UsageStatus = Type.Object(
  {
    capacityBytes: Type.Integer({ format: 'int64' }),
    usedBytes: Type.Optional(Type.Integer({ format: 'int64' })),
    updatedAt: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { $id: 'storageUsageV2Status' },
);
const StorageStatus = Type.Object(
  {
    storageClassId: Type.String(),
    regionId: Type.String(),
    usage: Type.Optional(UsageStatus),
    attachments: Type.Optional(Type.Array(AttachmentStatus, { $id: 'storageAttachmentListV2Status' })),
    snapshotPolicies: Type.Array(PolicyStatus, { $id: 'storageSnapshotPolicyListV2Status' }),
  },
  { $id: 'storageV2Status' },
);

export const StorageCreate = Type.Object(
  {
    metadata: WireWriteMetadata,
    spec: Type.Object({
      ...spec,
      organizationId: BodyId,
      projectId: BodyId,
      regionId: BodyId,
      storageClassId: Type.String({ maxLength: fieldLimits.id }),
    }),
  },
  { $id: 'storageV2Create' },
);
export const StorageUpdate = Type.Object(
  { metadata: WireWriteMetadata, spec: StorageSpec },
  { $id: 'storageV2Update' },
);
export const StorageRead = Type.Object(
  { metadata: WireProjectScopedMetadata, spec: StorageSpec, status: StorageStatus },
  { $id: 'storageV2Read' },
);
export const Storages = Type.Array(StorageRead, { $id: 'storageV2List' });
