import { Type } from 'typebox';

import { fieldLimits } from '@unikorn/core/limits';
import {
  WireProjectScopedMetadata,
  WireReference,
  WireServiceWriteMetadata,
  WireWriteMetadata,
} from '@unikorn/core/resource';

import { phases } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { namedList, oneOf } from './common.ts';

/** The length of an IPv4 address. */
const addressLength = 15;

export const UserDataText = Type.String({
  format: 'byte',
  pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
  maxLength: fieldLimits.userData,
  description: 'a text in base64 with padding: cloud-init user data for the first boot',
});

/** An identifier in a body. The look-up reports an id that does not exist. */
const Id = Type.String({ format: 'uuid', maxLength: fieldLimits.id });

const SshInjection = oneOf(['ca', 'identityKeypair', 'none'], 'sshInjection');
export { phases } from '../kinds/index.ts';
export const Phase = oneOf(phases, 'instanceLifecyclePhase');

const ServerNetworking = Type.Object(
  {
    securityGroups: Type.Optional(namedList(Id, fieldLimits.securityGroups, 'serverV2SecurityGroupIDList')),
    publicIP: Type.Optional(Type.Boolean()),
    allowedSourceAddresses: Type.Optional(
      namedList(Type.String({ maxLength: fieldLimits.prefix }), fieldLimits.addressPairs, 'allowedSourceAddresses'),
    ),
  },
  { $id: 'serverV2Networking' },
);

const wanted = {
  flavorId: Id,
  imageId: Id,
  networking: Type.Optional(ServerNetworking),
  userData: Type.Optional(UserDataText),
};

const ServerSpec = Type.Object(wanted, { $id: 'serverV2Spec' });

const InfrastructureRef = Type.String({
  minLength: 1,
  maxLength: fieldLimits.hostname,
  description: 'the host that it must run on',
  $id: 'infrastructureRef',
});

const chosen = {
  sshCertificateAuthorityId: Type.Optional(
    Type.String({ maxLength: fieldLimits.id, $id: 'sshCertificateAuthorityID' }),
  ),
  sshInjection: Type.Optional(SshInjection),
  infrastructureRef: Type.Optional(InfrastructureRef),
};

const PrivateIP = Type.String({
  maxLength: addressLength,
  description: 'the preferred address in its network; if it is in use, the server gets another one',
});

const HeldBy = Type.Unsafe<string>({
  ...WireReference,
  description:
    'the resource that the server is for, such as computeinstances.compute.unikorn-cloud.org/4f1c2a9e-7c1f-4a3e-9d55-0b6f7f1d2c3a; if it has no reference to the network, no server is created',
});

const ServerCreateSpec = Type.Object(
  {
    ...wanted,
    networkId: Id,
    privateIP: Type.Optional(PrivateIP),
    heldBy: Type.Optional(HeldBy),
    ...chosen,
  },
  { $id: 'serverV2CreateSpec' },
);

const ServerStatus = Type.Object(
  {
    regionId: Id,
    networkId: Id,
    ...chosen,
    powerState: Type.Optional(Phase),
    privateIP: Type.Optional(Type.String()),
    publicIP: Type.Optional(Type.String()),
    macAddress: Type.Optional(Type.String()),
    rebootingSince: Type.Optional(Type.String({ description: 'when the reboot that is in progress was requested' })),
    rebootedAt: Type.Optional(Type.String({ description: 'when the last completed reboot was requested' })),
    diskLostAt: Type.Optional(
      Type.String({
        description:
          'when the machine and its disk were lost; the machine was recreated automatically, without the data of the disk',
      }),
    ),
  },
  { $id: 'serverV2Status' },
);

export const ServerCreate = Type.Object(
  { metadata: WireWriteMetadata, spec: ServerCreateSpec },
  { $id: 'serverV2Create' },
);
export const ServerUpdate = Type.Object({ metadata: WireWriteMetadata, spec: ServerSpec }, { $id: 'serverV2Update' });
export const ServerRead = Type.Object(
  { metadata: WireProjectScopedMetadata, spec: ServerSpec, status: ServerStatus },
  { $id: 'serverV2Read' },
);
export const ServersRead = Type.Array(ServerRead, { $id: 'serversV2Read' });

export const SnapshotCreate = Type.Object(
  { metadata: WireServiceWriteMetadata, spec: Type.Object({}, { $id: 'snapshotCreateSpec' }) },
  { $id: 'snapshotCreate' },
);
export const SshKey = Type.Object({ privateKey: Type.String() }, { $id: 'sshKey' });
export const ConsoleSession = Type.Object({ url: Type.String() }, { $id: 'consoleSession' });
export const ConsoleOutput = Type.Object({ contents: Type.String() }, { $id: 'consoleOutput' });
export const ConsoleOutputQuery = Type.Object({
  length: Type.Optional(
    Type.Integer({ minimum: 1, maximum: limits.consoleLines, description: 'return only this number of last lines' }),
  ),
});
