import { Type } from 'typebox';

import { fieldLimits } from '@unikorn/core/limits';
import { WireId, WireProjectScopedMetadata, WireWriteMetadata } from '@unikorn/core/resource';
import { Phase, UserDataText } from '@unikorn/region/client';

import { Cidr, instanceStatus } from '../kinds/index.ts';

const SourceAddress = Type.String({ ...Cidr, description: 'an IPv4 prefix such as 10.0.0.0/24' });

const InstanceNetworking = Type.Object(
  {
    publicIP: Type.Optional(Type.Boolean()),
    securityGroups: Type.Optional(
      Type.Array(WireId, { maxItems: fieldLimits.securityGroups, $id: 'securityGroupIDList' }),
    ),
    allowedSourceAddresses: Type.Optional(
      Type.Array(SourceAddress, { maxItems: fieldLimits.addressPairs, $id: 'allowedSourceAddresses' }),
    ),
  },
  { $id: 'instanceNetworking' },
);

const changeable = {
  flavorId: Type.String({ maxLength: fieldLimits.id }),
  imageId: Type.String({ maxLength: fieldLimits.id }),
  networking: Type.Optional(InstanceNetworking),
  sshCertificateAuthorityId: Type.Optional(WireId),
  userData: Type.Optional(UserDataText),
  deletionProtection: Type.Optional(
    Type.Boolean({
      description:
        'if true, requests to delete the instance are refused; an update that leaves it out does not change it',
    }),
  ),
  afterRebuild: Type.Optional(
    Type.Unsafe<'start' | 'stop'>({
      type: 'string',
      enum: ['start', 'stop'],
      description:
        'power state of the instance after a change has replaced its disk; an update that leaves it out does not change it',
    }),
  ),
};

const InstanceSpec = Type.Object(changeable, { $id: 'instanceSpec' });

/** Clients rely on `networking`, even when it is empty. */
const InstanceReadSpec = Type.Object({ ...changeable, networking: InstanceNetworking }, { $id: 'instanceReadSpec' });

const InstanceCreateSpec = Type.Object(
  { ...changeable, organizationId: WireId, projectId: WireId, networkId: WireId },
  { $id: 'instanceCreateSpec' },
);

const InstanceStatus = Type.Object(
  {
    regionId: Type.String(),
    networkId: Type.String(),
    powerState: Type.Optional(Phase),
    privateIP: Type.Optional(Type.String()),
    publicIP: Type.Optional(Type.String()),
    macAddress: Type.Optional(Type.String()),
    rebootingSince: Type.Optional(Type.String({ description: 'when the reboot that is in progress was requested' })),
    rebootedAt: Type.Optional(Type.String({ description: 'when the last completed reboot was requested' })),
    observedAt: Type.Optional(Type.String({ description: 'when this state was last observed' })),
    replacement: instanceStatus.replacement,
    diskLostAt: Type.Optional(
      Type.String({
        description:
          'when the machine and its disk were lost; the machine was recreated automatically, without the data of the disk',
      }),
    ),
  },
  { $id: 'instanceStatus' },
);

export const InstanceCreate = Type.Object(
  { metadata: WireWriteMetadata, spec: InstanceCreateSpec },
  { $id: 'instanceCreate' },
);
export const InstanceUpdate = Type.Object(
  { metadata: WireWriteMetadata, spec: InstanceSpec },
  { $id: 'instanceUpdate' },
);
export const InstanceRead = Type.Object(
  { metadata: WireProjectScopedMetadata, spec: InstanceReadSpec, status: InstanceStatus },
  { $id: 'instanceRead' },
);
export const InstancesRead = Type.Array(InstanceRead, { $id: 'instancesRead' });

export const InstanceSnapshotCreate = Type.Object({ metadata: WireWriteMetadata }, { $id: 'instanceSnapshotCreate' });
export const RebootQuery = Type.Object({
  hard: Type.Optional(Type.Boolean({ description: 'switch the power off and on instead of asking the guest system' })),
});
