import { authorOf, type Caller } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';
import { allowsOn, type Request } from '@unikorn/core/http';
import type { WritableMetadata } from '@unikorn/core/kinds';
import { childOf, finalizers, labels, newMetadata, type Naming } from '@unikorn/core/resource';
import { getKnown } from '@unikorn/core/store';

import { Network } from '../kinds/index.ts';
import { placementOf } from '../placement.ts';
import { endpoints } from './endpoints.ts';

export { allowsOn, projectItem, projectView, storedTags } from '@unikorn/core/http';
export { demandCreation } from '@unikorn/identity/client';

/** The label of objects of this API generation. Other objects are not shown. */
export const generation = { [labels.apiVersion]: '2' } as const;

/** The network in a request, loaded with the rights of the caller. Resources in it get its region and project. */
export async function networkFor(
  { acl, caller, runtime: { store } }: Pick<Request, 'acl' | 'caller' | 'runtime'>,
  networkId: string,
): Promise<Network> {
  // A service holds a reference to the network, and a new server checks it.
  const isHeld = caller.accountType === 'system';
  const network = await (isHeld ? getKnown(store, Network, networkId) : store.get(Network, networkId));
  if (!network || !allowsOn(acl, endpoints.networks, 'read', network.metadata))
    throw new Problem('not_found', `network ${networkId} does not exist`);
  return network;
}

/** The same, for a new resource in the network: the network must not be in deletion. */
export async function openNetworkFor(
  request: Pick<Request, 'acl' | 'caller' | 'runtime'>,
  networkId: string,
): Promise<Network> {
  const network = await networkFor(request, networkId);
  if (network.metadata.deletionTimestamp !== undefined)
    throw new Problem('unprocessable_content', `network ${networkId} is being deleted`);
  return network;
}

/**
 * Metadata of a new resource in a network. Region, principal and project are those of the network, and it is deleted
 * with the network. The finalizer is set from the start, so that the resource cannot be removed before its controller
 * has seen it.
 */
export function metadataInNetwork(
  id: string,
  naming: Naming,
  network: Network,
  caller: Caller,
  extra: Readonly<Record<string, string>> = {},
): WritableMetadata {
  const scope = placementOf(network.metadata);
  const { [labels.region]: region = '', [labels.identity]: identity = '' } = network.metadata.labels ?? {};
  const metadata = newMetadata(id, naming, scope, authorOf(caller, scope), {
    labels: {
      ...generation,
      [labels.region]: region,
      [labels.identity]: identity,
      [labels.network]: network.metadata.name,
      ...extra,
    },
  });
  return { ...metadata, finalizers: [finalizers.framework], ownerReferences: [childOf(network)] };
}
