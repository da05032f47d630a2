import { resourceTypes, type Attributes, type ResourceType } from './resources.fixture.ts';
import { called, publicKey, ssh, type Stage } from './stage.fixture.ts';

/** The configurations of a resource, one after the other. */
export interface Life {
  readonly type: ResourceType;
  readonly like: string;
  readonly first: (stage: Stage) => Attributes;
  /** The values of the next configuration. */
  readonly change?: (stage: Stage) => Attributes;
  /** Values that need a new resource. */
  readonly replacement?: (stage: Stage) => Attributes;
}

const { project, group, network, securityGroup, sshCertificateAuthority, fileStorage, instance } = resourceTypes;

/** With slashes and dots, and not sorted. */
const tags = [
  { name: 'team', value: 'web' },
  { name: 'example.com/cost-centre', value: '42' },
];
const described = { description: 'what it is for: "tests" – äöü', tags };
const script = Buffer.from('#!/bin/sh\necho hello\n').toString('base64');
const allPorts = { direction: 'egress', protocol: 'any', port: null, portMax: null, prefix: null };
const range = { direction: 'ingress', protocol: 'udp', port: 1000, portMax: 2000, prefix: '10.1.2.0/24' };
const hourly = { name: 'hourly', schedule: { interval: 'hourly' }, retention: { keep: 3 } };
const weekly = {
  name: 'weekly',
  schedule: { interval: 'weekly', timeOfDay: '03:30Z', dayOfWeek: 'sunday' },
  retention: { keep: 2 },
};

export const lives: readonly Life[] = [
  {
    type: project,
    like: 'a project',
    first: () => ({ ...called('life'), groupIds: [] }),
    change: ({ groupId }) => ({ ...described, groupIds: [groupId] }),
  },
  {
    type: group,
    like: 'a group',
    first: ({ roleId }) => ({ ...called('life'), roleIds: [roleId], serviceAccountIds: [] }),
    change: ({ userId }) => ({ ...described, userIds: [userId], roleIds: [] }),
  },
  {
    type: network,
    like: 'a network',
    first: ({ regionId, projectId }) => ({
      ...called('life'),
      prefix: '10.7.0.0/22',
      regionId,
      projectId,
      dnsNameservers: ['9.9.9.9', '1.1.1.1'],
      routes: null,
    }),
    change: () => ({
      ...described,
      dnsNameservers: [],
      routes: [
        { prefix: '192.168.1.0/24', nexthop: '10.7.0.9' },
        { prefix: '192.168.0.0/24', nexthop: '10.7.0.8' },
      ],
    }),
    replacement: () => ({ prefix: '10.6.0.0/24', routes: null }),
  },
  {
    type: securityGroup,
    like: 'a security group',
    first: ({ networkId }) => ({ ...called('life'), ...described, networkId, rules: [range, ssh, allPorts] }),
    change: () => ({ description: null, tags: null, rules: [allPorts, ssh] }),
    replacement: ({ otherNetworkId }) => ({ networkId: otherNetworkId }),
  },
  {
    type: sshCertificateAuthority,
    like: 'an SSH certificate authority',
    first: ({ projectId }) => ({ ...called('life'), projectId, publicKey: publicKey() }),
    replacement: () => ({ publicKey: publicKey(), description: 'the next one' }),
  },
  {
    type: fileStorage,
    like: 'a file storage',
    first: ({ storageClassId, networkId, otherNetworkId }) => ({
      ...called('life'),
      storageClassId,
      sizeGiB: 3,
      rootSquash: true,
      networkIds: [otherNetworkId, networkId],
    }),
    change: ({ networkId }) => ({
      ...described,
      sizeGiB: 5,
      rootSquash: false,
      networkIds: [networkId],
      protection: false,
      snapshotPolicies: [],
    }),
  },
  {
    type: fileStorage,
    like: 'a file storage with snapshots',
    first: ({ storageClassId }) => ({
      ...called('life'),
      storageClassId,
      sizeGiB: 1,
      rootSquash: false,
      networkIds: [],
      protection: true,
      snapshotPolicies: [hourly, weekly],
    }),
    change: () => ({ snapshotPolicies: [weekly], protection: false }),
  },
  {
    type: instance,
    like: 'an instance with the required fields only',
    first: ({ networkId, flavorId, imageId }) => ({
      ...called('life'),
      networkId,
      flavorId,
      imageId,
      sshCertificateAuthorityId: null,
      userData: null,
      securityGroups: null,
      allowedSourceAddresses: null,
      publicIP: null,
    }),
    change: ({ securityGroupId }) => ({ ...described, securityGroups: [securityGroupId], publicIP: true }),
    replacement: ({ otherNetworkId }) => ({ networkId: otherNetworkId, securityGroups: null }),
  },
  {
    type: instance,
    like: 'an instance with all fields',
    first: ({ networkId, flavorId, imageId, securityGroupId }) => ({
      ...called('life'),
      ...described,
      networkId,
      flavorId,
      imageId,
      sshCertificateAuthorityId: null,
      userData: script,
      securityGroups: [securityGroupId],
      allowedSourceAddresses: ['10.99.0.0/24', '10.98.0.1/32'],
      publicIP: false,
    }),
    change: ({ otherImageId, otherFlavorId }) => ({
      imageId: otherImageId,
      flavorId: otherFlavorId,
      userData: null,
      allowedSourceAddresses: ['10.98.0.1/32', '10.99.0.0/24'],
    }),
  },
  {
    type: instance,
    like: 'an instance with an SSH certificate authority',
    first: ({ networkId, flavorId, imageId, authorityId }) => ({
      ...called('life'),
      networkId,
      flavorId,
      imageId,
      sshCertificateAuthorityId: authorityId,
      userData: null,
      securityGroups: null,
      allowedSourceAddresses: null,
      publicIP: null,
    }),
    change: () => ({ description: 'keeps its authority' }),
    replacement: () => ({ sshCertificateAuthorityId: null }),
  },
];
