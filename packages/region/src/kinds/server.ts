import { Type, type Static } from 'typebox';

import { defineKind, type Resource, type SpecOf } from '@unikorn/core/kinds';
import { fieldLimits } from '@unikorn/core/limits';
import { labels } from '@unikorn/core/resource';

import { common, groupVersion, Ipv4, labelPointer, listOf, ObjectId, Cidr } from './common.ts';
import { serverRules } from './server-rules.ts';
import { serverStatus } from './server-status.ts';

/** The way of SSH access: certificates, the key of the network's principal, or none by the platform. */
export const SshInjection = Type.Union([Type.Literal('ca'), Type.Literal('identityKeypair'), Type.Literal('none')]);
export type SshInjection = Static<typeof SshInjection>;

const ServerNetwork = Type.Object({
  id: ObjectId,
  /** The preferred address, used if it is free when the server is created. */
  address: Type.Optional(Ipv4),
  /** The source addresses that it may use in addition to its own. */
  allowedAddressPairs: Type.Optional(
    listOf(Type.Object({ cidr: Cidr, macAddress: Type.Optional(Type.String()) }), fieldLimits.addressPairs),
  ),
});

/** A virtual or physical machine in a network. Its id is derived from network and name, so that a name is unique. */
export const Server = defineKind({
  ...groupVersion,
  kind: 'Server',
  plural: 'servers',
  spec: Type.Object({
    ...common,
    flavorID: Type.String(),
    /** Changing it replaces the root disk in place. */
    image: Type.Object({ id: Type.String() }),
    networks: Type.Array(ServerNetwork, { minItems: 1, maxItems: 1 }),
    securityGroups: Type.Optional(listOf(Type.Object({ id: ObjectId }), fieldLimits.securityGroups)),
    publicIPAllocation: Type.Optional(Type.Object({ enabled: Type.Boolean() })),
    volumes: Type.Optional(listOf(Type.Object({ id: ObjectId }), fieldLimits.volumes)),
    sshCertificateAuthorityID: Type.Optional(ObjectId),
    sshInjection: Type.Optional(SshInjection),
    /** For the first boot only; in base64. */
    userData: Type.Optional(Type.String()),
    /** The host that it must run on. */
    infrastructureRef: Type.Optional(Type.String({ minLength: 1 })),
  }),
  status: serverStatus,
  indexedLabels: [
    labels.network,
    labels.identity,
    labels.sshCertificateAuthority,
    labels.project,
    labels.organization,
    labels.region,
  ],
  immutable: [
    '/spec/flavorID',
    '/spec/networks/0/id',
    '/spec/sshCertificateAuthorityID',
    '/spec/sshInjection',
    '/spec/infrastructureRef',
    ...[
      labels.name,
      labels.network,
      labels.identity,
      labels.sshCertificateAuthority,
      labels.region,
      labels.organization,
      labels.project,
    ].map(labelPointer),
  ],
  admission: serverRules,
});

export type Server = Resource<typeof Server>;

/** The SSH injection of a server, with the default applied. */
export function resolvedSshInjection({
  sshInjection,
  sshCertificateAuthorityID,
}: Pick<SpecOf<typeof Server>, 'sshInjection' | 'sshCertificateAuthorityID'>): SshInjection {
  return sshInjection ?? (sshCertificateAuthorityID === undefined ? 'identityKeypair' : 'ca');
}
