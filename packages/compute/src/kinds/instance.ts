import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { fieldLimits } from '@unikorn/core/limits';
import { labels } from '@unikorn/core/resource';

import { instanceStatus } from './instance-status.ts';

const octet = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
/** An IPv4 network. */
export const Cidr = Type.String({ pattern: `^${octet}(?:\\.${octet}){3}/(?:3[0-2]|[12]?[0-9])$`, maxLength: 18 });
const ObjectId = Type.String({ minLength: 1, maxLength: 253 });

function labelPointer(label: string): string {
  return `/metadata/labels/${label.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/**
 * Without these labels the owner of an instance is unknown, and the deletion of its network or project does not find
 * it.
 */
export const placingLabels = [labels.name, labels.organization, labels.project, labels.region, labels.network] as const;

/**
 * A virtual machine as its users see it. Its id is derived from network and name, so that a name is unique in a
 * network. Its server has the same id.
 */
export const ComputeInstance = defineKind({
  group: 'compute.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'ComputeInstance',
  plural: 'computeinstances',
  spec: Type.Object({
    tags: Type.Optional(Type.Array(Type.Object({ name: Type.String(), value: Type.String() }))),
    /** Set by operators: the controller does nothing for this instance except its deletion. */
    pause: Type.Optional(Type.Boolean()),
    flavorId: Type.String(),
    imageId: Type.String(),
    networking: Type.Optional(
      Type.Object({
        /** Stored as it was sent: clients need to read back whether they sent false or nothing. */
        publicIp: Type.Optional(Type.Boolean()),
        securityGroupIDs: Type.Optional(Type.Array(ObjectId, { maxItems: fieldLimits.securityGroups })),
        allowedSourceAddresses: Type.Optional(Type.Array(Cidr, { maxItems: fieldLimits.addressPairs })),
      }),
    ),
    sshCertificateAuthorityId: Type.Optional(ObjectId),
    /** Only for the first boot, in base64. */
    userData: Type.Optional(Type.String()),
    /** While it is set, a request to delete the instance is refused. */
    deletionProtection: Type.Optional(Type.Boolean()),
    /** The power state after a change has replaced the disk; `start` by default. */
    afterRebuild: Type.Optional(Type.Union([Type.Literal('start'), Type.Literal('stop')])),
  }),
  status: instanceStatus,
  indexedLabels: [labels.name, labels.network, labels.project, labels.organization, labels.region],
  requiredLabels: placingLabels,
  immutable: [...placingLabels, labels.principalOrganization, labels.principalProject].map(labelPointer),
});

export type ComputeInstance = Resource<typeof ComputeInstance>;
