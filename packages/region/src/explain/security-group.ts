import {
  explanationOf,
  heldBy,
  holderNodes,
  storedNode,
  type Explanation,
  type Graph,
  type Remedies,
} from '@unikorn/core/explain';
import { labels } from '@unikorn/core/resource';

import { SecurityGroup } from '../kinds/index.ts';
import { labelOf } from '../placement.ts';
import { holdersOf } from './holders.ts';
import { Needs, type Reading } from './needs.ts';
import { sharedRemedies, underNetwork, type RegionNodeKind } from './node-kinds.ts';

const living: Graph<RegionNodeKind> = [
  ...underNetwork,
  { kind: 'securityGroup', dependsOn: ['network', 'cloudIdentity'] },
];

const removal: Graph<RegionNodeKind> = [
  { kind: 'region', dependsOn: [] },
  { kind: 'holder', dependsOn: [] },
  { kind: 'securityGroup', dependsOn: ['region', 'holder'] },
  { kind: 'network', dependsOn: [] },
  { kind: 'cloudIdentity', dependsOn: [] },
];

const remedies: Remedies<RegionNodeKind> = {
  ...sharedRemedies,
  securityGroup: {
    failed:
      'correct the problem in its message, by an update of its rules if it is about them: it is retried automatically',
    'given up': 'update its rules if its message is about them; an operator must help otherwise',
    deleting: 'remove it from all instances: it is deleted automatically then',
  },
};

/** Explains the state of a security group. */
export async function explainSecurityGroup(
  reading: Reading,
  group: SecurityGroup,
): Promise<Explanation<RegionNodeKind>> {
  const { metadata } = group;
  const networkId = labelOf(metadata, labels.network);
  const needs = new Needs(reading, remedies);
  const holders = await holdersOf(reading.store, SecurityGroup, metadata);
  const self = storedNode<RegionNodeKind>({
    kind: 'securityGroup',
    id: metadata.name,
    of: SecurityGroup,
    object: group,
    readable: true,
    remedies,
  });
  return explanationOf<RegionNodeKind>({
    nodes: [
      await needs.region(metadata),
      await needs.cloudIdentity(metadata, networkId),
      await needs.network(networkId),
      ...holderNodes(holders, remedies),
      heldBy(self, holders),
    ],
    graph: metadata.deletionTimestamp === undefined ? living : removal,
    own: ['securityGroup'],
    whenReady: 'the security group is ready',
  });
}
