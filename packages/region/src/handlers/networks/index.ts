import type { Static } from 'typebox';

import { authorOf, enrichPrincipal, personOf } from '@unikorn/core/access';
import { defined } from '@unikorn/core/defined';
import {
  actionsRoute,
  collectionRoute,
  explainItemRoute,
  foreseeDeletion,
  itemRoute,
  madeBefore,
  objectIdFor,
  readItemRoute,
  route,
  sagaIdFor,
  type Request,
  type Route,
} from '@unikorn/core/http';
import type { DeepReadonly, SpecOf, WritableMetadata } from '@unikorn/core/kinds';
import { DeleteQuery, described, refuseWhileProtected, requestDeletion } from '@unikorn/core/references';
import { labels, modifiedMetadata, newMetadata, projectScopedReadMetadata, type Naming } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';
import type { ProjectScope } from '@unikorn/identity/client';

import { NetworkPath, RegionalQuery } from '../../api/common.ts';
import { ExplanationRead } from '../../api/explain.ts';
import { NetworkCreate, NetworkRead, Networks, NetworkUpdate } from '../../api/networks.ts';
import type { RegionContext } from '../../context.ts';
import { explainNetwork } from '../../explain/index.ts';
import { deletePrincipal, refuseWhileUsed } from '../../graph/index.ts';
import { identityName, Network, type Region } from '../../kinds/index.ts';
import { effectiveReservations } from '../../network/index.ts';
import { labelOf } from '../../placement.ts';
import { asked, regionFor } from '../../regions/index.ts';
import type { CreateNetwork } from '../../sagas/index.ts';
import { endpoints } from '../endpoints.ts';
import { referenceRoutes } from '../references.ts';
import { demandCreation, generation, projectItem, projectView, storedTags } from '../project-resources.ts';
import { changedSpec, newSpec } from './spec.ts';

const common = { tags: ['Networks'], security: 'bearer' } as const;
const collection = '/api/v2/networks';
const path = `${collection}/{networkID}` as const;

/** Services hold a reference to a network that they use, and the reference checks that it is not deleted. */
const networkItem = { ...projectItem(Network, 'networkID', endpoints.networks), isSettled: true };

function present(network: Network): DeepReadonly<Static<typeof NetworkRead>> {
  const { dnsNameservers, routes = [], prefix, reservations, tags } = network.spec;
  const { prefixLength, providerReservedPrefixLength } = effectiveReservations(reservations);
  return {
    metadata: projectScopedReadMetadata(Network, network, tags),
    spec: {
      dnsNameservers,
      ...(routes.length > 0
        ? { routes: routes.map(({ prefix: to, nextHop }) => ({ prefix: to, nexthop: nextHop })) }
        : {}),
    },
    status: {
      regionId: labelOf(network.metadata, labels.region),
      prefix,
      reservations: {
        prefixLength,
        ...defined({ providerReservedPrefixLength }),
      },
    },
  };
}

function written<Spec>({ labels: carried = {}, annotations = {} }: WritableMetadata, spec: Spec) {
  return { labels: carried, annotations, spec };
}

interface Creation {
  readonly request: Pick<Request, 'caller' | 'newId'>;
  readonly scope: ProjectScope;
  readonly region: Region;
  readonly naming: Naming;
  readonly spec: SpecOf<typeof Network>;
}

/** The input of the saga that creates a network and its hidden principal. */
function creationOf({ request, scope, region, naming, spec }: Creation): Parameters<CreateNetwork>[0] {
  const { caller } = request;
  const [id, identityId] = [objectIdFor(request), request.newId('identity')];
  const author = authorOf(caller, scope);
  const place = { [labels.region]: region.metadata.name };
  const called = { name: identityName, description: `network ${naming.name}` };
  const principal = newMetadata(identityId, called, scope, author, { labels: place });
  const network = newMetadata(id, naming, scope, author, {
    labels: { ...generation, ...place, [labels.identity]: identityId },
  });
  return {
    id,
    principal: enrichPrincipal(caller.principal, scope),
    scope,
    after: written(network, spec),
    identity: { id: identityId, after: written(principal, { provider: region.spec.provider }) },
  };
}

/** Refuses to delete a network that is in use, or that contains a protected resource. */
async function checkDeletion(store: Store, { metadata }: Network, ignoreProtection = false): Promise<void> {
  if (!ignoreProtection) await refuseWhileProtected(store, Network, metadata.name, described(Network, metadata));
  await refuseWhileUsed(store, Network, metadata);
}

export function networkRoutes({
  identityClient,
  providers,
  createNetwork,
}: RegionContext & { readonly createNetwork: CreateNetwork }): readonly Route[] {
  const routes = [
    collectionRoute({
      ...common,
      path: collection,
      operationId: 'listNetworks',
      summary: 'List the networks that you may read',
      query: RegionalQuery,
      response: Networks,
      kind: Network,
      view: (request) => projectView(request, endpoints.networks),
      present,
    }),
    route({
      ...common,
      method: 'POST',
      path: collection,
      operationId: 'createNetwork',
      summary: 'Create a network',
      body: NetworkCreate,
      responses: { 201: NetworkRead },
      idempotency: 'replay',
      records: 'create',
      handler: async (request) => {
        const { caller } = request;
        const { metadata: naming, spec } = request.body;
        const scope = { organizationId: spec.organizationId, projectId: spec.projectId };
        await demandCreation(request, identityClient, endpoints.networks, scope);
        const made = await madeBefore(request, Network);
        if (made) return { status: 201, body: present(made) };
        const region = await regionFor(request, spec.regionId);
        const wanted = { ...storedTags(naming.tags, caller), ...newSpec(spec) };
        await asked(() => Promise.resolve(providers.cloud(region)));
        const creation = creationOf({ request, scope, region, naming, spec: wanted });
        const { putNetwork: network } = await createNetwork(creation, sagaIdFor(request));
        return { status: 201, body: present(network) };
      },
    }),
    readItemRoute({
      ...common,
      path,
      operationId: 'getNetwork',
      summary: 'Read a network',
      params: NetworkPath,
      response: NetworkRead,
      item: networkItem,
      present,
    }),
    itemRoute({
      ...common,
      method: 'PUT',
      path,
      operationId: 'updateNetwork',
      summary: 'Change a network',
      params: NetworkPath,
      body: NetworkUpdate,
      responses: { 202: NetworkRead },
      item: networkItem,
      verb: 'update',
      records: 'update',
      actions: ['update'],
      handler: async ({ body, caller, runtime }, { metadata, spec: { prefix, reservations, pause, routes } }) => {
        const network = await runtime.store.update(Network, {
          metadata: modifiedMetadata(metadata, body.metadata, authorOf(caller), runtime.world.now()),
          spec: {
            ...storedTags(body.metadata.tags, caller),
            prefix,
            ...(reservations ? { reservations } : {}),
            ...changedSpec(body.spec, routes),
            ...defined({ pause }),
          },
        });
        return { status: 202, body: present(network) };
      },
    }),
    itemRoute({
      ...common,
      method: 'DELETE',
      path,
      operationId: 'deleteNetwork',
      summary:
        'Delete a network, with its security groups and load balancers; refused while instances, servers or file storage use it',
      params: NetworkPath,
      query: DeleteQuery,
      responses: { 202: null },
      item: networkItem,
      verb: 'delete',
      records: 'delete',
      actions: ['delete'],
      handler: async ({ caller, query: { ignoreProtection = false }, runtime }, network) => {
        const { metadata } = network;
        const check = () => checkDeletion(runtime.store, network, ignoreProtection);
        await requestDeletion(runtime, Network, network, { by: personOf(caller), check, propagation: 'foreground' });
        await deletePrincipal(runtime.store, metadata);
        return { status: 202 };
      },
    }),
  ];
  return [
    ...routes,
    explainItemRoute({
      ...common,
      path: `${path}/explain`,
      operationId: 'explainNetwork',
      summary: 'Explain the state of a network, and what can help',
      params: NetworkPath,
      response: ExplanationRead,
      item: networkItem,
      explain: ({ acl, runtime }, network) => explainNetwork({ ...runtime, providers, acl }, network),
    }),
    actionsRoute({
      ...common,
      path: `${path}/actions`,
      operationId: 'listNetworkActions',
      params: NetworkPath,
      item: networkItem,
      words: 'a network',
      routes,
      foresee: (network, { runtime: { store } }) => foreseeDeletion(network, () => checkDeletion(store, network)),
    }),
    ...referenceRoutes({
      kind: Network,
      words: 'a network',
      operation: 'Network',
      tags: common.tags,
      path,
      params: NetworkPath,
      param: 'networkID',
      endpoint: endpoints.networkReferences,
    }),
  ];
}
