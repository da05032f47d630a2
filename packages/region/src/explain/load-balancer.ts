import { explanationOf, storedNode, type Explanation, type Graph, type Remedies } from '@unikorn/core/explain';
import { labels } from '@unikorn/core/resource';

import { LoadBalancer } from '../kinds/index.ts';
import { labelOf } from '../placement.ts';
import { memberNodes } from './members.ts';
import { Needs, type Reading } from './needs.ts';
import { sharedRemedies, underNetwork, type RegionNodeKind } from './node-kinds.ts';

/** The health of a finished load balancer depends on its members. */
const serving: Graph<RegionNodeKind> = [
  ...underNetwork,
  { kind: 'member', dependsOn: ['network'] },
  { kind: 'loadBalancer', dependsOn: ['network', 'member'] },
];

/** A load balancer that is being created does not wait for its members. */
const building: Graph<RegionNodeKind> = [
  ...underNetwork,
  { kind: 'loadBalancer', dependsOn: ['network'] },
  { kind: 'member', dependsOn: ['network'] },
];

const removal: Graph<RegionNodeKind> = [
  { kind: 'region', dependsOn: [] },
  { kind: 'loadBalancer', dependsOn: ['region'] },
  { kind: 'network', dependsOn: [] },
  { kind: 'cloudIdentity', dependsOn: [] },
  { kind: 'member', dependsOn: [] },
];

const remedies: Remedies<RegionNodeKind> = {
  ...sharedRemedies,
  loadBalancer: {
    waiting: 'wait until its network is ready: it continues automatically then',
    degraded: 'start the members that do not answer, or update the load balancer without them',
    'given up': 'update the load balancer if its message is about its listeners; an operator must help otherwise',
    deleting: 'wait until the cloud has deleted it: this is retried automatically',
  },
  member: {
    missing: 'create an instance with this address, or update the load balancer without the member',
    degraded: 'start the instance with this address if it is stopped, or update the load balancer without the member',
    deleting: 'update the load balancer without the member',
  },
};

/** Explains the state of a load balancer. */
export async function explainLoadBalancer(
  reading: Reading,
  balancer: LoadBalancer,
): Promise<Explanation<RegionNodeKind>> {
  const { metadata } = balancer;
  const networkId = labelOf(metadata, labels.network);
  const needs = new Needs(reading, remedies);
  const self = storedNode<RegionNodeKind>({
    kind: 'loadBalancer',
    id: metadata.name,
    of: LoadBalancer,
    object: balancer,
    readable: true,
    remedies,
  });
  const isMade = self.state === 'ready' || self.state === 'degraded';
  return explanationOf<RegionNodeKind>({
    nodes: [
      await needs.region(metadata),
      await needs.cloudIdentity(metadata, networkId),
      await needs.network(networkId),
      ...(await memberNodes(reading, balancer, remedies)),
      self,
    ],
    graph: self.state === 'deleting' ? removal : isMade ? serving : building,
    own: ['loadBalancer'],
    whenReady: 'the load balancer is ready',
  });
}
