import { Type } from 'typebox';

import { defineKind, type Resource } from '@unikorn/core/kinds';
import { fieldLimits } from '@unikorn/core/limits';
import { labels } from '@unikorn/core/resource';

const Id = Type.String({ minLength: 1, maxLength: 255 });

/**
 * What the provider remembers of an identity, under the name of the identity. Secrets are stored before they are used,
 * so that a repeated step uses the same ones. Ids are stored after each step; the things are found by their names, too.
 * The original of this platform has the same kind; the fields that only it uses are allowed and kept.
 */
export const OpenstackIdentity = defineKind({
  group: 'region.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'OpenstackIdentity',
  plural: 'openstackidentities',
  realisation: 'static',
  spec: Type.Object({
    projectID: Type.Optional(Id),
    userID: Type.Optional(Id),
    password: Type.Optional(Type.String({ maxLength: 4096 })),
    serverGroupID: Type.Optional(Id),
    sshKeyName: Type.Optional(Id),
    /** In PEM. */
    sshPrivateKey: Type.Optional(Type.String({ maxLength: 16_384 })),
    cloud: Type.Optional(Type.String({ maxLength: 255 })),
    cloudConfig: Type.Optional(Type.String({ maxLength: 16_384 })),
    applicationCredentialID: Type.Optional(Id),
    applicationCredentialSecret: Type.Optional(Type.String({ maxLength: 4096 })),
  }),
  status: {},
  indexedLabels: [labels.region],
});
export type OpenstackIdentity = Resource<typeof OpenstackIdentity>;

export const poolLabel = 'openstack.region.unikorn-cloud.org/vlan-pool';
export const networkLabel = 'openstack.region.unikorn-cloud.org/network-id';

/**
 * A VLAN of a physical network that a network of a region has. Its name follows from the VLAN, so the store refuses to
 * give a VLAN to two networks, also when two processes ask at the same time.
 */
export const OpenstackVlan = defineKind({
  group: 'region.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'OpenstackVlan',
  plural: 'openstackvlans',
  realisation: 'static',
  spec: Type.Object({
    physicalNetwork: Type.String({ maxLength: 255 }),
    vlanId: Type.Integer({ minimum: 1, maximum: 4094 }),
    networkId: Type.String({ maxLength: 255 }),
    /** Set where the cloud refused the VLAN, because something else has it. The network then takes another one. */
    refused: Type.Optional(Type.Boolean()),
    /** When a removal did not find the network in the cloud for the first time, in milliseconds since the epoch. */
    missingSince: Type.Optional(Type.Integer({ minimum: 0 })),
  }),
  status: {},
  indexedLabels: [poolLabel, networkLabel],
  immutable: ['/spec/physicalNetwork', '/spec/vlanId', '/spec/networkId'],
});
export type OpenstackVlan = Resource<typeof OpenstackVlan>;

/**
 * A snapshot that must be shared with the project of the region when its data is complete. Its name is the id that was
 * asked for. It is deleted after that.
 */
export const OpenstackSnapshot = defineKind({
  group: 'region.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'OpenstackSnapshot',
  plural: 'openstacksnapshots',
  realisation: 'static',
  spec: Type.Object({
    /** The project of the cloud that has the image. */
    projectId: Id,
    /** The properties that Nova does not take. A description of characters of four bytes is six times as long there. */
    properties: Type.Record(Type.String(), Type.String({ maxLength: 6 * fieldLimits.description }), {
      maxProperties: 256,
    }),
  }),
  status: {},
  indexedLabels: [labels.region],
  immutable: ['/spec'],
});
export type OpenstackSnapshot = Resource<typeof OpenstackSnapshot>;

/**
 * The upload of the data of an image by this platform, in a cloud that does not fetch data itself. Its name is the id
 * of the image in the cloud. It is deleted when the upload is complete, or with the image.
 */
export const OpenstackUpload = defineKind({
  group: 'region.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'OpenstackUpload',
  plural: 'openstackuploads',
  realisation: 'static',
  spec: Type.Object({
    uri: Type.String({ maxLength: fieldLimits.url }),
    /** How often it was begun. */
    attempts: Type.Integer({ minimum: 0 }),
    /** The attempt that works on it, until the lease ends. */
    holder: Type.Optional(Id),
    /** In milliseconds since the epoch. */
    leaseUntil: Type.Integer({ minimum: 0 }),
    /** Set when there will be no more attempts. */
    hasFailed: Type.Optional(Type.Boolean()),
  }),
  status: {},
  indexedLabels: [labels.region],
  immutable: ['/spec/uri'],
});
export type OpenstackUpload = Resource<typeof OpenstackUpload>;

/** The kinds that a store needs for regions in OpenStack. */
export const openstackKinds = [OpenstackIdentity, OpenstackSnapshot, OpenstackUpload, OpenstackVlan] as const;

/** The texts in them that must be sealed. */
export const openstackSecrets = [
  { kind: OpenstackIdentity, path: ['spec', 'password'] },
  { kind: OpenstackIdentity, path: ['spec', 'sshPrivateKey'] },
  { kind: OpenstackIdentity, path: ['spec', 'cloudConfig'] },
  { kind: OpenstackIdentity, path: ['spec', 'applicationCredentialSecret'] },
] as const;
