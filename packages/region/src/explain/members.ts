import type { Acl } from '@unikorn/core/access';
import { defined } from '@unikorn/core/defined';
import {
  concealed,
  missingStatus,
  nodeStatusOf,
  remedyFor,
  type NodeDraft,
  type Remedies,
} from '@unikorn/core/explain';
import { allowsOn, pagesOf } from '@unikorn/core/http';
import { labels } from '@unikorn/core/resource';
import { matching } from '@unikorn/core/store';

import { purposesOf } from '../graph/index.ts';
import { endpoints } from '../handlers/endpoints.ts';
import { Server, type LoadBalancer } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { labelOf } from '../placement.ts';
import type { Reading } from './needs.ts';
import type { RegionNodeKind } from './node-kinds.ts';

type Node = NodeDraft<RegionNodeKind>;

/** The machines of a load balancer's members, found by their addresses. */
export async function memberNodes(
  reading: Reading,
  { metadata, spec }: LoadBalancer,
  remedies: Remedies<RegionNodeKind>,
): Promise<readonly Node[]> {
  const addresses = new Set(spec.listeners.flatMap(({ pool }) => pool.members.map(({ address }) => address)));
  if (addresses.size === 0) return [];
  const servers = await serversAt(reading, labelOf(metadata, labels.network), addresses);
  const nodes = [...addresses].map((address) => memberNode(reading, address, servers.get(address), remedies));
  return nodes
    .toSorted((a, b) => Number(a.state === 'ready') - Number(b.state === 'ready'))
    .slice(0, limits.shownMembers);
}

/** The servers of a network that have one of these addresses. */
async function serversAt(
  reading: Reading,
  networkId: string,
  addresses: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Server>> {
  const found = new Map<string, Server>();
  const view = { selector: matching({ [labels.network]: networkId }), visible: () => true };
  for await (const { items } of pagesOf(reading, Server, view)) {
    for (const server of items) {
      const address = server.status?.privateIP;
      if (address !== undefined && addresses.has(address)) found.set(address, server);
    }
    if (found.size === addresses.size) break;
  }
  return found;
}

function memberNode(
  { acl }: Reading,
  address: string,
  server: Server | undefined,
  remedies: Remedies<RegionNodeKind>,
): Node {
  const status = server
    ? nodeStatusOf(Server, server)
    : { ...missingStatus, message: 'no machine in the network has this address' };
  const node = {
    kind: 'member',
    id: address,
    ...defined({ name: server?.metadata.labels?.[labels.name] }),
    ...status,
    ...remedyFor(remedies, 'member', status),
  } as const;
  if (!server) return node;
  return isKnownTo(acl, server) ? node : concealed(node);
}

/** Whether the caller may read the server, or the instance that it was created for: users only see instances. */
export function isKnownTo(acl: Acl, server: Server): boolean {
  const known = [endpoints.servers, ...purposesOf(server).map(({ service, thing }) => `${service}:${thing}s`)];
  return known.some((endpoint) => allowsOn(acl, endpoint, 'read', server.metadata));
}
