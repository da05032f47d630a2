import { Problem } from '@unikorn/core/errors';
import { activityRoute, historyRoute, type History } from '@unikorn/core/history';
import {
  actionsRoute,
  collectionRoute,
  itemRoute,
  projectItem,
  projectView,
  readItemRoute,
  route,
  type Route,
} from '@unikorn/core/http';

import { InstancePath, InstanceQuery } from '../../api/common.ts';
import { InstanceHistoryRead } from '../../api/history.ts';
import { InstanceCreate, InstanceRead, InstancesRead, InstanceUpdate } from '../../api/instances.ts';
import { RefusedPlan, UpdateQuery } from '../../api/plan.ts';
import type { ComputeContext } from '../../context.ts';
import { ComputeInstance, instanceHistoryStorage } from '../../kinds/index.ts';
import { listedClaimants, serverResolver } from '../../link/index.ts';
import type { WriteInstance } from '../../sagas/index.ts';
import { endpoints } from '../endpoints.ts';
import { createInstance } from './create.ts';
import { deletedInstancesRoute } from './deleted.ts';
import { namesakes } from './namesake.ts';
import { explainRoute } from './explain.ts';
import { demandPlan, planRoute } from './plan.ts';
import { presentInstance as present } from './present.ts';
import { snapshotRoute } from './snapshot.ts';
import { prepareUpdate, writeUpdate } from './update.ts';
import { foreseenOfMachine, instanceVerbRoutes } from './verbs.ts';

const common = { tags: ['Instances'], security: 'bearer' } as const;
const collection = '/api/v2/instances';
const path = `${collection}/{instanceID}` as const;
const item = projectItem(ComputeInstance, 'instanceID', endpoints.instances);

export function instanceRoutes(
  context: ComputeContext & { readonly writeInstance: WriteInstance; readonly history: History },
): readonly Route[] {
  const { regionClient, telemetry, history } = context;
  const claimants = listedClaimants(regionClient);
  const creating = { ...context, namesake: namesakes(context) };
  const acting = { ...context, resolve: serverResolver({ regionClient, telemetry, claimants }) };
  const routes = [
    collectionRoute({
      ...common,
      path: collection,
      operationId: 'listInstances',
      summary: 'List the instances you may read',
      query: InstanceQuery,
      response: InstancesRead,
      kind: ComputeInstance,
      view: (request) => projectView(request, endpoints.instances),
      present,
    }),
    route({
      ...common,
      method: 'POST',
      path: collection,
      operationId: 'createInstance',
      summary: 'Create an instance in a network',
      body: InstanceCreate,
      responses: { 201: InstanceRead },
      idempotency: 'replay',
      records: 'create',
      handler: async (request) => ({
        status: 201,
        body: present(await createInstance(creating, request, request.body)),
      }),
    }),
    readItemRoute({
      ...common,
      path,
      operationId: 'getInstance',
      summary: 'Read an instance',
      params: InstancePath,
      response: InstanceRead,
      item,
      present,
    }),
    itemRoute({
      ...common,
      method: 'PUT',
      path,
      operationId: 'updateInstance',
      summary:
        'Change an instance; a new image replaces its disk, and a new flavor or certificate authority also replaces its public address',
      params: InstancePath,
      query: UpdateQuery,
      body: InstanceUpdate,
      responses: { 202: InstanceRead, 409: RefusedPlan },
      item,
      verb: 'update',
      records: 'update',
      actions: ['update'],
      handler: async (request, instance) => {
        const prepared = await prepareUpdate(context, request, instance, request.body);
        const refusal = await demandPlan(acting, request, instance, request.body, prepared);
        if (refusal) return refusal;
        return { status: 202, body: present(await writeUpdate(context, request, instance, request.body, prepared)) };
      },
    }),
    itemRoute({
      ...common,
      method: 'DELETE',
      path,
      operationId: 'deleteInstance',
      summary: 'Delete an instance and its disk',
      params: InstancePath,
      responses: { 202: null },
      item,
      verb: 'delete',
      records: 'delete',
      actions: ['delete'],
      check: refuseProtected,
      handler: async ({ runtime: { store } }, { metadata: { name, uid, resourceVersion } }) => {
        await store.delete(ComputeInstance, name, { preconditions: { uid, resourceVersion } });
        return { status: 202 };
      },
    }),
    ...instanceVerbRoutes(acting, item),
    snapshotRoute(acting, item),
  ];
  return [
    ...routes,
    actionsRoute({
      ...common,
      path: `${path}/actions`,
      operationId: 'listInstanceActions',
      params: InstancePath,
      item,
      words: 'an instance',
      routes,
      foresee: (instance) => foreseenOfMachine(acting, instance),
    }),
    planRoute(acting, item),
    explainRoute({ regionClient, claimants }, item),
    historyRoute({
      history,
      tags: common.tags,
      path,
      params: InstancePath,
      operationId: 'getInstanceHistory',
      summary: 'Read the history of an instance, also of a deleted one; the latest entry is last',
      response: InstanceHistoryRead,
    }),
    deletedInstancesRoute(),
    activityRoute('/api/v2/activity', instanceHistoryStorage, [history.subject]),
  ];
}

function refuseProtected({ metadata, spec }: ComputeInstance): void {
  if (!spec.deletionProtection || metadata.deletionTimestamp !== undefined) return;
  throw new Problem(
    'conflict',
    `instance ${metadata.name} is protected against deletion: set spec.deletionProtection to false, then delete it`,
  );
}
