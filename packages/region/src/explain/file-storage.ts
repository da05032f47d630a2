import { explanationOf, storedNode, type Explanation, type Graph, type Remedies } from '@unikorn/core/explain';

import { FileStorage } from '../kinds/index.ts';
import { Needs, type Reading } from './needs.ts';
import { sharedRemedies, type RegionNodeKind } from './node-kinds.ts';

const living: Graph<RegionNodeKind> = [
  { kind: 'region', dependsOn: [] },
  { kind: 'storageClass', dependsOn: ['region'] },
  { kind: 'network', dependsOn: ['region'] },
  { kind: 'fileStorage', dependsOn: ['region', 'storageClass', 'network'] },
];

const removal: Graph<RegionNodeKind> = [
  { kind: 'region', dependsOn: [] },
  { kind: 'fileStorage', dependsOn: ['region'] },
  { kind: 'storageClass', dependsOn: [] },
  { kind: 'network', dependsOn: [] },
];

const remedies: Remedies<RegionNodeKind> = {
  ...sharedRemedies,
  network: {
    ...sharedRemedies.network,
    missing: 'update the file storage so that it is no longer attached to the network',
    deleting: 'update the file storage so that it is no longer attached to the network',
  },
  storageClass: {
    missing: 'nothing needs to be done for existing files; the platform operator must add the class again for changes',
  },
  fileStorage: {
    waiting: 'wait until the resources that it depends on are ready: it continues automatically then',
    degraded: 'update the file storage so that it is no longer attached to the network in its message',
    'given up': 'update the file storage if its message is about its size or networks; an operator must help otherwise',
    deleting: 'wait until the cloud has deleted it: this is retried automatically',
  },
};

/** Explains the state of file storage. */
export async function explainFileStorage(reading: Reading, storage: FileStorage): Promise<Explanation<RegionNodeKind>> {
  const { metadata, spec } = storage;
  const needs = new Needs(reading, remedies);
  const networks = await Promise.all((spec.attachments ?? []).map(({ networkID }) => needs.network(networkID)));
  const self = storedNode<RegionNodeKind>({
    kind: 'fileStorage',
    id: metadata.name,
    of: FileStorage,
    object: storage,
    readable: true,
    remedies,
  });
  return explanationOf<RegionNodeKind>({
    nodes: [await needs.region(metadata), await needs.storageClass(spec.storageClassID), ...networks, self],
    graph: metadata.deletionTimestamp === undefined ? living : removal,
    own: ['fileStorage'],
    whenReady: 'the file storage is ready',
  });
}
