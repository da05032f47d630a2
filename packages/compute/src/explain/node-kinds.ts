import type { Graph } from '@unikorn/core/explain';

/**
 * The kinds of nodes in the explanation of an instance. Users do not see servers: the server of an instance is its
 * machine.
 */
export const nodeKinds = [
  'region',
  'cloudIdentity',
  'network',
  'securityGroup',
  'sshCertificateAuthority',
  'image',
  'flavor',
  'providerResource',
  'machine',
  'quota',
  'instance',
] as const;
export type NodeKind = (typeof nodeKinds)[number];

/** The kinds that make up the instance. Other resources that it refers to can have problems that do not affect it. */
export const ownKinds: readonly NodeKind[] = ['providerResource', 'machine', 'quota', 'instance'];

export const living: Graph<NodeKind> = [
  { kind: 'region', dependsOn: [] },
  { kind: 'cloudIdentity', dependsOn: ['region'] },
  { kind: 'network', dependsOn: ['cloudIdentity'] },
  { kind: 'securityGroup', dependsOn: ['network'] },
  { kind: 'sshCertificateAuthority', dependsOn: [] },
  { kind: 'image', dependsOn: ['region'] },
  { kind: 'flavor', dependsOn: ['region'] },
  {
    kind: 'providerResource',
    dependsOn: ['region', 'cloudIdentity', 'network', 'securityGroup', 'sshCertificateAuthority', 'image', 'flavor'],
  },
  { kind: 'machine', dependsOn: ['network', 'securityGroup', 'sshCertificateAuthority', 'providerResource'] },
  { kind: 'quota', dependsOn: [] },
  { kind: 'instance', dependsOn: ['machine', 'quota'] },
];

/**
 * The resources that an instance refers to do not block its deletion. Its quota is released after its machine is
 * deleted.
 */
export const removal: Graph<NodeKind> = [
  { kind: 'region', dependsOn: [] },
  { kind: 'providerResource', dependsOn: ['region'] },
  { kind: 'machine', dependsOn: ['providerResource'] },
  { kind: 'quota', dependsOn: ['machine'] },
  { kind: 'instance', dependsOn: ['machine', 'quota'] },
  { kind: 'cloudIdentity', dependsOn: [] },
  { kind: 'network', dependsOn: [] },
  { kind: 'securityGroup', dependsOn: [] },
  { kind: 'sshCertificateAuthority', dependsOn: [] },
  { kind: 'image', dependsOn: [] },
  { kind: 'flavor', dependsOn: [] },
];
