import type { Operation } from '@unikorn/core/access';
import { itemRoute, type Item, type Route } from '@unikorn/core/http';
import { addReference, removeReference } from '@unikorn/core/store';

import { NetworkReferencePath } from '../../api/networks.ts';
import { Network } from '../../kinds/index.ts';
import { endpoints } from '../endpoints.ts';
import { allowsOn } from '../project-resources.ts';

/** Whoever may hold on to a network need not be able to read it. */
function referenced(verb: Operation): Item<typeof Network> {
  return { kind: Network, param: 'networkID', access: { order: 'load first', allows: (_verb, { metadata }, { acl }) => allowsOn(acl, endpoints.networkReferences, verb, metadata) } };
}

const common = { path: '/api/v2/networks/{networkID}/references/{reference}', tags: ['Networks'], security: 'bearer', hidden: true, params: NetworkReferencePath } as const;

/** By these, other services keep a network until what they have in it is gone. */
export const networkReferenceRoutes: readonly Route[] = [
  itemRoute({
    ...common,
    method: 'PUT',
    operationId: 'addNetworkReference',
    summary: 'Keep a network from being deleted',
    responses: { 201: null },
    item: referenced('create'),
    verb: 'create',
    handler: async ({ params, runtime: { store } }) => {
      await addReference(store, Network, params.networkID, params.reference);
      return { status: 201 };
    },
  }),
  itemRoute({
    ...common,
    method: 'DELETE',
    operationId: 'removeNetworkReference',
    summary: 'Let go of a network',
    responses: { 204: null },
    item: referenced('delete'),
    verb: 'delete',
    handler: async ({ params, runtime: { store } }) => {
      await removeReference(store, Network, params.networkID, params.reference);
      return { status: 204 };
    },
  }),
];
