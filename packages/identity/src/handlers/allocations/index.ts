import type { Static } from 'typebox';

import { allowsGlobal, allowsProject, authorOf, demand, type Caller } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';
import { collectionRoute, itemRoute, readItemRoute, route, type Item, type Route } from '@unikorn/core/http';
import type { DeepReadonly } from '@unikorn/core/kinds';
import { labels, projectScopedReadMetadata } from '@unikorn/core/resource';
import { getKnown, matching } from '@unikorn/core/store';

import {
  AllocationPath,
  AllocationQuery,
  AllocationRead,
  Allocations,
  AllocationWrite,
} from '../../api/allocations.ts';
import { ProjectPath } from '../../api/common.ts';
import { Allocation } from '../../kinds/quota.ts';
import { requireKnownKinds, requireProject, type Charge, type Ledger, type ProjectScope } from '../../quota/index.ts';

const endpoint = 'identity:allocations';
const common = { tags: ['Allocations'], security: 'bearer', hidden: true } as const;
const collection = '/api/v1/organizations/{organizationID}/projects/{projectID}/allocations';
const path = `${collection}/{allocationID}` as const;

type Wire<Schema extends typeof AllocationRead | typeof AllocationWrite> = DeepReadonly<Static<Schema>>;

/** The ledger reads an allocation again before it changes it. */
const allocationItem: Item<typeof Allocation> = {
  kind: Allocation,
  param: 'allocationID',
  isSettled: true,
  access: {
    order: 'check first',
    allows: (verb, { acl, params }) =>
      allowsProject(acl, endpoint, verb, params['organizationID'] ?? '', params['projectID'] ?? ''),
    belongs: ({ metadata }, { params }) =>
      metadata.labels?.[labels.organization] === params['organizationID'] &&
      metadata.labels?.[labels.project] === params['projectID'],
  },
};

function present(allocation: Allocation): Wire<typeof AllocationRead> {
  const { kind, id, allocations, tags } = allocation.spec;
  return { metadata: projectScopedReadMetadata(Allocation, allocation, tags), spec: { kind, id, allocations } };
}

function chargeFrom(
  { metadata, spec }: Wire<typeof AllocationWrite>,
  scope: ProjectScope,
  caller: Caller,
  ifAbsent: Charge['ifAbsent'],
): Charge {
  requireKnownKinds('body.spec.allocations', spec.allocations);
  const { name, description, tags } = metadata;
  return {
    scope,
    resource: { kind: spec.kind, id: spec.id },
    amounts: spec.allocations,
    naming: { name, description },
    tags,
    author: authorOf(caller, scope),
    ifAbsent,
  };
}

export function allocationRoutes(ledger: Ledger): readonly Route[] {
  return [
    collectionRoute({
      ...common,
      path: '/api/v1/allocations',
      operationId: 'listAllAllocations',
      summary: 'List the quota usage of resources in all organizations; other services compare it with their resources',
      query: AllocationQuery,
      response: Allocations,
      kind: Allocation,
      view: ({ acl, query: { kind } }) => {
        demand(allowsGlobal(acl, endpoint, 'read'), endpoint, 'read');
        return { selector: kind === undefined ? [] : matching({ [labels.resourceKind]: kind }), visible: () => true };
      },
      present,
    }),
    route({
      ...common,
      method: 'POST',
      path: collection,
      operationId: 'createAllocation',
      summary: 'Charge a resource to the quota of a project; charging it again replaces the amounts',
      params: ProjectPath,
      body: AllocationWrite,
      responses: { 201: AllocationRead },
      handler: async ({ acl, body, caller, params, runtime }) => {
        const scope = { organizationId: params.organizationID, projectId: params.projectID };
        demand(allowsProject(acl, endpoint, 'create', scope.organizationId, scope.projectId), endpoint, 'create');
        // The ledger checks it again.
        await requireProject(runtime.store, scope, getKnown);
        return { status: 201, body: present(await ledger.charge(chargeFrom(body, scope, caller, 'charge'))) };
      },
    }),
    readItemRoute({
      ...common,
      path,
      operationId: 'getAllocation',
      summary: 'Read the quota usage of a resource',
      params: AllocationPath,
      response: AllocationRead,
      item: allocationItem,
      present,
    }),
    itemRoute({
      ...common,
      method: 'PUT',
      path,
      operationId: 'updateAllocation',
      summary: 'Change the quota usage of a resource',
      params: AllocationPath,
      body: AllocationWrite,
      responses: { 200: AllocationRead },
      item: allocationItem,
      verb: 'update',
      handler: async ({ body, caller, params }, { spec }) => {
        if (body.spec.kind !== spec.kind || body.spec.id !== spec.id)
          throw new Problem('invalid_request', 'body.spec: kind and id cannot be changed');
        const scope = { organizationId: params.organizationID, projectId: params.projectID };
        return { status: 200, body: present(await ledger.charge(chargeFrom(body, scope, caller, 'refuse'))) };
      },
    }),
    itemRoute({
      ...common,
      method: 'DELETE',
      path,
      operationId: 'deleteAllocation',
      summary: 'Release the quota usage of a resource',
      params: AllocationPath,
      responses: { 202: null },
      item: allocationItem,
      verb: 'delete',
      handler: async ({ params }, { metadata }) => {
        await ledger.release(params.organizationID, metadata.name);
        return { status: 202 };
      },
    }),
  ];
}
