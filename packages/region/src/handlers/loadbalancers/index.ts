import type { Static } from 'typebox';

import { authorOf, demand, enrichPrincipal } from '@unikorn/core/access';
import { defined } from '@unikorn/core/defined';
import { Problem } from '@unikorn/core/errors';
import {
  actionsRoute,
  collectionRoute,
  ErrorBody,
  explainItemRoute,
  itemRoute,
  madeBefore,
  objectIdFor,
  readItemRoute,
  route,
  sagaIdFor,
  type Item,
  type Route,
} from '@unikorn/core/http';
import type { DeepReadonly } from '@unikorn/core/kinds';
import { childOf, labels, modifiedMetadata, projectScopedReadMetadata } from '@unikorn/core/resource';
import { seenState } from '@unikorn/core/saga';

import { LoadBalancerPath, NetworkedQuery } from '../../api/common.ts';
import { ExplanationRead } from '../../api/explain.ts';
import {
  LoadBalancerCreate,
  LoadBalancerRead,
  LoadBalancersRead,
  LoadBalancerUpdate,
} from '../../api/loadbalancers.ts';
import type { RegionContext } from '../../context.ts';
import { explainLoadBalancer } from '../../explain/index.ts';
import { LoadBalancer, Network } from '../../kinds/index.ts';
import { labelOf, placementOf, principalOf } from '../../placement.ts';
import type { WriteLoadBalancer } from '../../sagas/index.ts';
import { endpoints } from '../endpoints.ts';
import {
  allowsOn,
  metadataInNetwork,
  openNetworkFor,
  projectItem,
  projectView,
  storedTags,
} from '../project-resources.ts';
import { checkFrozen, storedListeners, wireListener } from './listeners.ts';
import { membersOf } from './members.ts';
import { addressesTaken, checkVip } from './vip.ts';

const endpoint = endpoints.loadBalancers;
const common = { tags: ['Load balancers'], security: 'bearer' } as const;
const collection = '/api/v2/loadbalancers';
const path = `${collection}/{loadBalancerID}` as const;
const item: Item<typeof LoadBalancer> = {
  ...projectItem(LoadBalancer, 'loadBalancerID', endpoint),
  whileDeleted: 'unprocessable_content',
};

function present(balancer: LoadBalancer): DeepReadonly<Static<typeof LoadBalancerRead>> {
  const { metadata, spec, status } = balancer;
  return {
    metadata: projectScopedReadMetadata(LoadBalancer, balancer, spec.tags),
    spec: { publicIP: spec.publicIP, listeners: spec.listeners.map(wireListener) },
    status: {
      regionId: labelOf(metadata, labels.region),
      networkId: labelOf(metadata, labels.network),
      ...(status?.vipAddress === undefined ? {} : { vipAddress: status.vipAddress }),
      ...(status?.publicIP === undefined ? {} : { publicIP: status.publicIP }),
    },
  };
}

export function loadBalancerRoutes({
  providers,
  writeLoadBalancer,
}: Pick<RegionContext, 'providers'> & { readonly writeLoadBalancer: WriteLoadBalancer }): readonly Route[] {
  const routes = [
    collectionRoute({
      ...common,
      path: collection,
      operationId: 'listLoadBalancers',
      summary: 'List the load balancers that you may read',
      query: NetworkedQuery,
      response: LoadBalancersRead,
      kind: LoadBalancer,
      view: (request) => projectView(request, endpoint),
      present,
    }),
    route({
      ...common,
      method: 'POST',
      path: collection,
      operationId: 'createLoadBalancer',
      summary: 'Create a load balancer in a network',
      body: LoadBalancerCreate,
      responses: { 201: LoadBalancerRead, 404: ErrorBody },
      idempotency: 'replay',
      records: 'create',
      handler: async (request) => {
        const { acl, body, caller, runtime } = request;
        const { networkId, vipAddress, publicIP = false } = body.spec;
        const network = await openNetworkFor(request, networkId);
        demand(allowsOn(acl, endpoint, 'create', network.metadata), endpoint, 'create');
        const made = await madeBefore(request, LoadBalancer);
        if (made) return { status: 201, body: present(made) };
        const listeners = storedListeners(body.spec.listeners, membersOf(network.spec));
        if (vipAddress !== undefined)
          checkVip(network.spec, await addressesTaken(runtime.store, networkId), vipAddress);
        const id = objectIdFor(request);
        const scope = placementOf(network.metadata);
        const { labels: labelled = {}, annotations = {} } = metadataInNetwork(id, body.metadata, network, caller);
        const spec = {
          ...storedTags(body.metadata.tags, caller),
          publicIP,
          listeners,
          ...defined({ requestedVIPAddress: vipAddress }),
        };
        const { put: balancer } = await writeLoadBalancer(
          {
            id,
            principal: enrichPrincipal(caller.principal, scope),
            scope,
            owner: childOf(network),
            after: { labels: labelled, annotations, spec },
          },
          sagaIdFor(request),
        );
        return { status: 201, body: present(balancer) };
      },
    }),
    readItemRoute({
      ...common,
      path,
      operationId: 'getLoadBalancer',
      summary: 'Read a load balancer',
      params: LoadBalancerPath,
      response: LoadBalancerRead,
      item,
      present,
    }),
    itemRoute({
      ...common,
      method: 'PUT',
      path,
      operationId: 'updateLoadBalancer',
      summary: 'Change a load balancer',
      params: LoadBalancerPath,
      body: LoadBalancerUpdate,
      responses: { 202: LoadBalancerRead },
      item,
      verb: 'update',
      records: 'update',
      actions: ['update'],
      handler: async ({ body, caller, runtime }, current) => {
        const { name: id } = current.metadata;
        const network = await runtime.store.get(Network, labelOf(current.metadata, labels.network));
        if (!network) throw new Problem('unprocessable_content', `the network of load balancer ${id} no longer exists`);
        const listeners = storedListeners(body.spec.listeners, membersOf(network.spec, current.spec.listeners));
        checkFrozen(current.spec.listeners, listeners);
        const { labels: labelled = {}, annotations = {} } = modifiedMetadata(
          current.metadata,
          body.metadata,
          authorOf(caller),
          runtime.world.now(),
        );
        const { requestedVIPAddress, pause } = current.spec;
        const kept = {
          ...defined({ requestedVIPAddress, pause }),
        };
        const spec = {
          ...storedTags(body.metadata.tags, caller),
          ...kept,
          publicIP: body.spec.publicIP ?? false,
          listeners,
        };
        const charged = { principal: principalOf(current.metadata), scope: placementOf(current.metadata) };
        const { put: balancer } = await writeLoadBalancer({
          id,
          ...charged,
          before: seenState(current),
          after: { labels: labelled, annotations, spec },
        });
        return { status: 202, body: present(balancer) };
      },
    }),
    itemRoute({
      ...common,
      method: 'DELETE',
      path,
      operationId: 'deleteLoadBalancer',
      summary: 'Delete a load balancer',
      params: LoadBalancerPath,
      responses: { 202: null },
      item,
      verb: 'delete',
      records: 'delete',
      actions: ['delete'],
      handler: async ({ runtime: { store } }, { metadata: { name, uid } }) => {
        await store.delete(LoadBalancer, name, { preconditions: { uid } });
        return { status: 202 };
      },
    }),
    explainItemRoute({
      ...common,
      path: `${path}/explain`,
      operationId: 'explainLoadBalancer',
      summary: 'Explain the state of a load balancer, and what can help',
      params: LoadBalancerPath,
      response: ExplanationRead,
      item: item,
      explain: ({ acl, runtime }, balancer) => explainLoadBalancer({ ...runtime, providers, acl }, balancer),
    }),
  ];
  const actions = actionsRoute({
    ...common,
    path: `${path}/actions`,
    operationId: 'listLoadBalancerActions',
    params: LoadBalancerPath,
    item,
    words: 'a load balancer',
    routes,
  });
  return [...routes, actions];
}
