import type { Acl } from '@unikorn/core/access';
import { isProblem } from '@unikorn/core/errors';
import { missingStatus, type NodeDraft } from '@unikorn/core/explain';
import type { OnBehalf } from '@unikorn/core/calls';
import { allowsOn } from '@unikorn/core/http';
import { labels } from '@unikorn/core/resource';
import type { RegionClient, RegionExplanation } from '@unikorn/region/client';

import type { ComputeInstance } from '../kinds/index.ts';
import { serverIdOf, type Claimants } from '../link/index.ts';
import { asService } from '../on-behalf.ts';
import type { Need, View } from './explain.ts';
import type { Machine } from './machine.ts';
import { nodeKinds, type NodeKind } from './node-kinds.ts';

export interface GatherDeps {
  readonly regionClient: Pick<
    RegionClient,
    'explainServer' | 'explainNetwork' | 'explainSecurityGroup' | 'sshCertificateAuthority'
  >;
  readonly claimants: Claimants;
}

type Node = NodeDraft<NodeKind>;

/**
 * Asks region about every resource that an instance needs, with compute's own permissions. The permissions of the
 * caller decide what is shown. A region that does not answer is part of the explanation.
 */
export async function gather(deps: GatherDeps, instance: ComputeInstance, acl: Acl): Promise<View> {
  try {
    const { machine, known } = await machineOf(deps, instance);
    const { region, nodes } = await needsOf(deps, instance, known);
    return { instance, needs: nodes.map((node) => needFor(instance, acl, node)), machine, region };
  } catch (error) {
    if (!isProblem(error)) throw error;
    return { instance, needs: [], machine: { type: 'unknown', problem: error.message } };
  }
}

/** The machine of an instance, and region's explanations of the resources around it. */
async function machineOf(
  { regionClient, claimants }: GatherDeps,
  instance: ComputeInstance,
): Promise<{ readonly machine: Machine; readonly known: readonly Node[] }> {
  const on = asService(instance.metadata);
  const ownId = serverIdOf(instance);
  const claiming = await claimants(instance);
  const own = await regionClient.explainServer(on, ownId);
  const others = claiming.filter((id) => id !== ownId);
  const serverIds = [...(own ? [ownId] : []), ...others];
  const [serverId] = serverIds;
  if (serverId === undefined) return { machine: { type: 'none' }, known: [] };
  if (serverIds.length > 1) return { machine: { type: 'many', serverIds }, known: [] };
  if (!claiming.includes(serverId)) return { machine: { type: 'occupied', serverId }, known: [] };
  const explanation = own ?? (await regionClient.explainServer(on, serverId));
  const server = explanation?.nodes.find(({ kind }) => kind === 'server');
  const provider = explanation?.nodes.find(({ kind }) => kind === 'providerResource');
  if (!server || !provider) return { machine: { type: 'none' }, known: [] };
  return { machine: { type: 'one', server, provider }, known: nodesOf(explanation) };
}

/** The region, and the nodes of the resources that the instance refers to now. Its server may still refer to others. */
async function needsOf(
  { regionClient }: GatherDeps,
  { metadata, spec }: ComputeInstance,
  known: readonly Node[],
): Promise<{ readonly region: Node | undefined; readonly nodes: readonly Node[] }> {
  const on = asService(metadata);
  const networkId = metadata.labels?.[labels.network] ?? '';
  const groups = new Set(spec.networking?.securityGroupIDs ?? []);
  const authority = spec.sshCertificateAuthorityId;
  const find = (kind: NodeKind, id: string) => known.find((node) => node.kind === kind && node.id === id);
  const around = find('network', networkId) ? known : nodesOf(await regionClient.explainNetwork(on, networkId));
  const nodes = [
    ...around.filter(({ kind }) => kind === 'cloudIdentity'),
    around.find(({ kind }) => kind === 'network') ?? missing('network', networkId),
    ...(await Promise.all(
      [...groups].map(async (id) => find('securityGroup', id) ?? (await securityGroup(regionClient, on, id))),
    )),
    ...(authority === undefined
      ? []
      : [find('sshCertificateAuthority', authority) ?? (await certificateAuthority(regionClient, on, authority))]),
    ...known.filter(
      ({ kind, id }) => (kind === 'image' && id === spec.imageId) || (kind === 'flavor' && id === spec.flavorId),
    ),
  ];
  return { region: around.find(({ kind }) => kind === 'region'), nodes };
}

async function securityGroup(regionClient: GatherDeps['regionClient'], on: OnBehalf, id: string): Promise<Node> {
  const nodes = nodesOf(await regionClient.explainSecurityGroup(on, id));
  return nodes.find(({ kind }) => kind === 'securityGroup') ?? missing('securityGroup', id);
}

/** An authority is ready as soon as it is stored, so reading it is enough. */
async function certificateAuthority(regionClient: GatherDeps['regionClient'], on: OnBehalf, id: string): Promise<Node> {
  try {
    const { metadata } = await regionClient.sshCertificateAuthority(on, id);
    const { name, creationTime, deletionTime } = metadata;
    const node = { kind: 'sshCertificateAuthority', id, name } as const;
    return deletionTime === undefined
      ? { ...node, state: 'ready', reason: 'Stored', message: '', since: creationTime }
      : { ...node, state: 'deleting', reason: 'Deprovisioning', message: 'it is being deleted', since: deletionTime };
  } catch (error) {
    if (!isProblem(error, 'not_found')) throw error;
    return missing('sshCertificateAuthority', id);
  }
}

function missing(kind: NodeKind, id: string): Node {
  return { kind, id, ...missingStatus };
}

/** The nodes of region's explanation that users may see. */
function nodesOf(explanation: RegionExplanation | undefined): readonly Node[] {
  return (explanation?.nodes ?? []).flatMap((node) => {
    const known = nodeKinds.find((kind) => kind === node.kind);
    return known === undefined ? [] : [{ ...node, kind: known }];
  });
}

/**
 * The permissions to read each kind; the permission for networks also covers the cloud identity. Every caller who may
 * create instances may read images and flavors.
 */
const endpoints: Readonly<Partial<Record<NodeKind, string>>> = {
  cloudIdentity: 'region:networks:v2',
  network: 'region:networks:v2',
  securityGroup: 'region:securitygroups:v2',
  sshCertificateAuthority: 'region:sshcertificateauthorities:v2',
};

/** Every resource that an instance needs is in the project of the instance. */
function needFor({ metadata }: ComputeInstance, acl: Acl, node: Node): Need {
  const endpoint = endpoints[node.kind];
  const readable = endpoint === undefined || node.state === 'missing' || allowsOn(acl, endpoint, 'read', metadata);
  return { node, readable };
}
