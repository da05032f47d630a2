import type { Graph, Remedies } from '@unikorn/core/explain';

/** The kinds of nodes in the explanations of region's resources. A holder blocks the removal of another resource. */
export const regionNodeKinds = [
  'region',
  'cloudIdentity',
  'network',
  'securityGroup',
  'sshCertificateAuthority',
  'source',
  'image',
  'flavor',
  'storageClass',
  'member',
  'providerResource',
  'server',
  'loadBalancer',
  'fileStorage',
  'holder',
] as const;
export type RegionNodeKind = (typeof regionNodeKinds)[number];

/** Remedies that are the same for every resource with such a dependency. */
export const sharedRemedies: Remedies<RegionNodeKind> = {
  region: {
    degraded: 'wait until the cloud of the region answers: everything that waits for it is retried automatically',
    missing: 'the platform operator must add the region again',
    'given up': 'the platform operator must make the region usable again',
  },
  cloudIdentity: {
    retrying: 'wait until the cloud answers: it is retried automatically',
    missing: 'delete the network and create it again: there is no other way',
  },
  network: {
    retrying: 'wait until the cloud answers: it is retried automatically',
    missing: 'delete everything that was in the network: there is no other way',
    deleting: 'nothing needs to be done: a network is deleted with everything in it',
  },
  holder: { holding: 'delete it; if it is already being deleted, wait until it is deleted' },
};

/** The dependencies of a resource in a network. */
export const underNetwork: Graph<RegionNodeKind> = [
  { kind: 'region', dependsOn: [] },
  { kind: 'cloudIdentity', dependsOn: ['region'] },
  { kind: 'network', dependsOn: ['cloudIdentity'] },
];
