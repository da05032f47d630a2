import {
  explanationOf,
  nodeStatusOf,
  remedyFor,
  type Explanation,
  type Graph,
  type NodeDraft,
  type NodeStatus,
  type Remedies,
} from '@unikorn/core/explain';
import { defined } from '@unikorn/core/defined';
import { labels } from '@unikorn/core/resource';

import { Region, Server } from '../kinds/index.ts';
import { labelOf, placementOf } from '../placement.ts';
import { isProviderFailure } from '../provider/index.ts';
import { imageStatus, askForImage } from './image.ts';
import { Needs, type Reading } from './needs.ts';
import { sharedRemedies, underNetwork, type RegionNodeKind } from './node-kinds.ts';
import { providerNode } from './provider-resource.ts';
import { serverRemedies } from './server-remedies.ts';

type Node = NodeDraft<RegionNodeKind>;

const living: Graph<RegionNodeKind> = [
  ...underNetwork,
  { kind: 'securityGroup', dependsOn: ['network'] },
  { kind: 'sshCertificateAuthority', dependsOn: [] },
  { kind: 'image', dependsOn: ['region'] },
  { kind: 'flavor', dependsOn: ['region'] },
  {
    kind: 'providerResource',
    dependsOn: ['region', 'cloudIdentity', 'network', 'securityGroup', 'sshCertificateAuthority', 'image', 'flavor'],
  },
  { kind: 'server', dependsOn: ['providerResource'] },
];

/** The dependencies of a server do not block its removal. */
const removal: Graph<RegionNodeKind> = [
  { kind: 'region', dependsOn: [] },
  { kind: 'providerResource', dependsOn: ['region'] },
  { kind: 'server', dependsOn: ['providerResource'] },
  { kind: 'network', dependsOn: [] },
  { kind: 'cloudIdentity', dependsOn: [] },
  { kind: 'securityGroup', dependsOn: [] },
  { kind: 'sshCertificateAuthority', dependsOn: [] },
];

const remedies: Remedies<RegionNodeKind> = { ...sharedRemedies, ...serverRemedies };

/** Explains the state of a server. */
export async function explainServer(reading: Reading, server: Server): Promise<Explanation<RegionNodeKind>> {
  const { metadata, spec } = server;
  const networkId = labelOf(metadata, labels.network);
  const needs = new Needs(reading, remedies);
  const groups = [...new Set((spec.securityGroups ?? []).map(({ id }) => id))];
  const authority = spec.sshCertificateAuthorityID;
  const status = nodeStatusOf(Server, server);
  return explanationOf<RegionNodeKind>({
    nodes: [
      await needs.region(metadata),
      await needs.cloudIdentity(metadata, networkId),
      await needs.network(networkId),
      ...(await Promise.all(groups.map((id) => needs.securityGroup(id)))),
      ...(authority === undefined ? [] : [await needs.sshCertificateAuthority(authority)]),
      ...(isYetToBeMade(server) ? await catalogueNodes(reading, server) : []),
      providerNode(server, status),
      serverNode(server, status),
    ],
    graph: metadata.deletionTimestamp === undefined ? living : removal,
    own: ['providerResource', 'server'],
    whenReady: 'the server is ready',
  });
}

function serverNode({ metadata }: Server, status: NodeStatus): Node {
  const name = metadata.labels?.[labels.name];
  return {
    kind: 'server',
    id: metadata.name,
    ...defined({ name }),
    ...status,
    ...remedyFor(remedies, 'server', status),
  };
}

/** A server that has run once keeps its disk: it needs neither its image nor its flavor until it is rebuilt. */
function isYetToBeMade({ metadata, status = {} }: Server): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  return status.provisionedAt === undefined || status.rebuild !== undefined;
}

/**
 * The image and the flavor of a server. They are left out when the region does not answer: the node of the server says
 * so then.
 */
async function catalogueNodes({ store, providers }: Reading, { metadata, spec }: Server): Promise<readonly Node[]> {
  const region = await store.get(Region, labelOf(metadata, labels.region));
  if (!region) return [];
  const { organizationId } = placementOf(metadata);
  const image = await askForImage(async () =>
    (await providers.cloud(region).images.list({ availableTo: [organizationId] })).find(
      ({ id }) => id === spec.image.id,
    ),
  );
  const flavors = await answered(async () => providers.cloud(region).flavors());
  return [
    ...(image.type === 'answered' ? [imageNode(spec.image.id, imageStatus(image), image.image?.name)] : []),
    ...(flavors ? [flavorNode(spec.flavorID, flavors.find(({ id }) => id === spec.flavorID)?.name)] : []),
  ];
}

async function answered<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (!isProviderFailure(error)) throw error;
    return undefined;
  }
}

function imageNode(id: string, status: NodeStatus, name: string | undefined): Node {
  return { kind: 'image', id, ...defined({ name }), ...status, ...remedyFor(remedies, 'image', status) };
}

function flavorNode(id: string, name: string | undefined): Node {
  const status: NodeStatus =
    name === undefined
      ? { state: 'missing', reason: 'DependencyNotFound', message: 'the region does not offer it' }
      : { state: 'ready', reason: 'Offered', message: '' };
  return { kind: 'flavor', id, ...defined({ name }), ...status, ...remedyFor(remedies, 'flavor', status) };
}
