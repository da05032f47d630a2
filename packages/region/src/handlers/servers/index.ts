import {
  actionsRoute,
  collectionRoute,
  explainItemRoute,
  itemRoute,
  readItemRoute,
  route,
  type Route,
} from '@unikorn/core/http';

import { NetworkedQuery, ServerPath } from '../../api/common.ts';
import { ExplanationRead } from '../../api/explain.ts';
import { ServerCreate, ServerRead, ServersRead, ServerUpdate } from '../../api/servers.ts';
import type { RegionContext } from '../../context.ts';
import { explainServer } from '../../explain/index.ts';
import { Server } from '../../kinds/index.ts';
import { machineActions, machineRefusal } from '../../servers/index.ts';
import { endpoints } from '../endpoints.ts';
import { projectItem, projectView } from '../project-resources.ts';
import { presentServer as present } from './present.ts';
import { snapshotRoute, type Snapshotting } from './snapshot.ts';
import { serverVerbRoutes } from './verbs.ts';
import { createServer, updateServer } from './write.ts';

const common = { tags: ['Servers'], security: 'bearer', hidden: true } as const;
const collection = '/api/v2/servers';
const path = `${collection}/{serverID}` as const;
const item = projectItem(Server, 'serverID', endpoints.servers);

/**
 * The routes of servers. Only our own services use them: users create instances, and compute creates servers for these.
 */
export function serverRoutes(context: RegionContext & Snapshotting): readonly Route[] {
  const { providers } = context;
  const routes = [
    collectionRoute({
      ...common,
      path: collection,
      operationId: 'listServers',
      summary: 'List the servers that you may read',
      query: NetworkedQuery,
      response: ServersRead,
      kind: Server,
      view: (request) => projectView(request, endpoints.servers),
      present,
    }),
    route({
      ...common,
      method: 'POST',
      path: collection,
      operationId: 'createServer',
      summary: 'Create a server',
      body: ServerCreate,
      responses: { 201: ServerRead },
      idempotency: 'replay',
      records: 'create',
      handler: async (request) => ({ status: 201, body: present(await createServer(context, request, request.body)) }),
    }),
    readItemRoute({
      ...common,
      path,
      operationId: 'getServer',
      summary: 'Read a server',
      params: ServerPath,
      response: ServerRead,
      item,
      present,
    }),
    itemRoute({
      ...common,
      method: 'PUT',
      path,
      operationId: 'updateServer',
      summary: 'Change a server; a new image rebuilds it, and its disk is lost',
      params: ServerPath,
      body: ServerUpdate,
      responses: { 202: ServerRead },
      item,
      verb: 'update',
      records: 'update',
      actions: ['update'],
      handler: async (request, server) => ({
        status: 202,
        body: present(await updateServer(context, request, server, request.body)),
      }),
    }),
    itemRoute({
      ...common,
      method: 'DELETE',
      path,
      operationId: 'deleteServer',
      summary: 'Delete a server and its disk',
      params: ServerPath,
      responses: { 202: null },
      item,
      verb: 'delete',
      records: 'delete',
      actions: ['delete'],
      handler: async ({ runtime: { store } }, { metadata: { name, uid } }) => {
        await store.delete(Server, name, { preconditions: { uid } });
        return { status: 202 };
      },
    }),
    explainItemRoute({
      ...common,
      path: `${path}/explain`,
      operationId: 'explainServer',
      summary: 'Explain the state of a server, and what can help',
      params: ServerPath,
      response: ExplanationRead,
      item: item,
      explain: ({ acl, runtime }, server) => explainServer({ ...runtime, providers, acl }, server),
    }),
    ...serverVerbRoutes(context, item),
    snapshotRoute(context, item),
  ];
  const actions = actionsRoute({
    ...common,
    path: `${path}/actions`,
    operationId: 'listServerActions',
    params: ServerPath,
    item,
    words: 'a server',
    routes,
    foresee: ({ status }) =>
      Object.fromEntries(machineActions.map((action) => [action, machineRefusal(status, action)])),
  });
  return [...routes, actions];
}
