import {
  explanationOf,
  heldBy,
  holderNodes,
  storedNode,
  type Explanation,
  type Graph,
  type Remedies,
} from '@unikorn/core/explain';

import { Network } from '../kinds/index.ts';
import { holdersOf } from './holders.ts';
import { Needs, type Reading } from './needs.ts';
import { sharedRemedies, underNetwork, type RegionNodeKind } from './node-kinds.ts';

/** A network that is being deleted waits for its users, and its principal waits for the network. */
const removal: Graph<RegionNodeKind> = [
  { kind: 'region', dependsOn: [] },
  { kind: 'holder', dependsOn: [] },
  { kind: 'network', dependsOn: ['region', 'holder'] },
  { kind: 'cloudIdentity', dependsOn: ['network'] },
];

const remedies: Remedies<RegionNodeKind> = {
  ...sharedRemedies,
  network: {
    retrying: 'wait until the cloud answers: it is retried automatically',
    deleting: 'delete everything that uses it: the network is removed automatically then',
  },
};

/** Explains the state of a network. */
export async function explainNetwork(reading: Reading, network: Network): Promise<Explanation<RegionNodeKind>> {
  const { metadata } = network;
  const needs = new Needs(reading, remedies);
  const holders = await holdersOf(reading.store, Network, metadata);
  const self = storedNode<RegionNodeKind>({
    kind: 'network',
    id: metadata.name,
    of: Network,
    object: network,
    readable: true,
    remedies,
  });
  return explanationOf<RegionNodeKind>({
    nodes: [
      await needs.region(metadata),
      await needs.cloudIdentity(metadata, metadata.name),
      ...holderNodes(holders, remedies),
      heldBy(self, holders),
    ],
    graph: metadata.deletionTimestamp === undefined ? underNetwork : removal,
    own: ['network'],
    whenReady: 'the network is ready',
  });
}
