import type { Graph, Remedies } from '@unikorn/core/explain';

/** The kinds of nodes in the explanations of region's resources. A holder keeps something from being removed. */
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

/** Remedies that are the same for every resource that needs such a thing. */
export const sharedRemedies: Remedies<RegionNodeKind> = {
  region: {
    missing: 'an operator adds the region again',
    'given up': 'an operator makes the region usable again',
  },
  cloudIdentity: {
    retrying: 'the cloud answers again: it is retried automatically',
    missing: 'nothing helps: delete the network and create it again',
  },
  network: {
    retrying: 'the cloud answers again: it is retried automatically',
    missing: 'nothing helps: delete what was in the network',
    deleting: 'nothing needs to be done: a network is deleted with everything in it',
  },
  holder: { holding: 'delete it; if it is being deleted already, wait until it is gone' },
};

/** The nodes below something in a network. */
export const underNetwork: Graph<RegionNodeKind> = [
  { kind: 'region', dependsOn: [] },
  { kind: 'cloudIdentity', dependsOn: ['region'] },
  { kind: 'network', dependsOn: ['cloudIdentity'] },
];
