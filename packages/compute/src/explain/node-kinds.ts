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

/** The kinds that make up the instance. The things that it was built on can have problems that do not affect it. */
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
 * The things that an instance was built on do not keep it from being removed. Its quota is given back after its machine
 * is gone.
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
