import { demand, type Operation as Right } from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';
import { allowsOn, itemRoute, type Item, type OnBehalf, type Request, type Route } from '@unikorn/core/http';
import { ConsoleOutput, ConsoleOutputQuery, ConsoleSession, SshKey, type PowerVerb } from '@unikorn/region/client';

import { InstancePath } from '../../api/common.ts';
import { RebootQuery } from '../../api/instances.ts';
import type { ComputeContext } from '../../context.ts';
import type { ComputeInstance } from '../../kinds/index.ts';
import type { ResolveServer } from '../../link/index.ts';
import { asService } from '../../on-behalf.ts';
import { endpoints } from '../endpoints.ts';

export type Acting = Pick<ComputeContext, 'region'> & { readonly resolve: ResolveServer };

const common = { tags: ['Instances'], security: 'bearer' } as const;
const path = '/api/v2/instances/{instanceID}';

/** Who may see an instance may not do everything with it. */
export function demandOn(
  { acl }: Pick<Request, 'acl'>,
  endpoint: string,
  right: Right,
  { metadata }: ComputeInstance,
): void {
  demand(allowsOn(acl, endpoint, right, metadata), endpoint, right);
}

/** The server to send something to, and as whom; without exactly one, nothing is sent to any. */
export async function serverOf(
  resolve: ResolveServer,
  instance: ComputeInstance,
): Promise<readonly [OnBehalf, string]> {
  const { metadata } = instance;
  if (metadata.deletionTimestamp !== undefined)
    throw new Problem('invalid_request', `instance ${metadata.name} is being deleted`);
  const resolution = await resolve(instance);
  switch (resolution.type) {
    case 'one':
      return [asService(metadata), resolution.server.metadata.id];
    case 'none':
      throw new Problem(
        'conflict',
        `instance ${metadata.name} has no machine at the moment: wait until it is provisioned, and ask again`,
      );
    case 'many':
      throw new Problem(
        'server_error',
        `more than one machine claims to be instance ${metadata.name}, so nothing was sent to any: ask whoever operates the platform`,
      );
  }
}

export function instanceVerbRoutes(context: Acting, item: Item<typeof ComputeInstance>): readonly Route[] {
  return [
    powerRoute(context, item, {
      path: 'start',
      operationId: 'startInstance',
      summary: 'Start an instance',
      verb: () => 'start',
    }),
    powerRoute(context, item, {
      path: 'stop',
      operationId: 'stopInstance',
      summary: 'Stop an instance',
      verb: () => 'stop',
    }),
    powerRoute(context, item, {
      path: 'reboot',
      operationId: 'rebootInstance',
      summary: 'Reboot an instance',
      query: RebootQuery,
      verb: ({ hard }) => (hard ? 'hardreboot' : 'softreboot'),
    }),
    ...consoleRoutes(context, item),
    keyRoute(context, item),
  ];
}

interface Power {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly query?: typeof RebootQuery;
  readonly verb: (query: { readonly hard?: boolean }) => PowerVerb;
}

function powerRoute(
  { region, resolve }: Acting,
  item: Item<typeof ComputeInstance>,
  { path: word, operationId, summary, query, verb }: Power,
): Route {
  return itemRoute({
    ...common,
    method: 'POST',
    path: `${path}/${word}`,
    operationId,
    summary,
    params: InstancePath,
    ...(query ? { query } : {}),
    responses: { 202: null },
    item,
    verb: 'read',
    handler: async (request, instance) => {
      demandOn(request, endpoints.power, 'update', instance);
      await region.power(...(await serverOf(resolve, instance)), verb(request.query));
      return { status: 202 };
    },
  });
}

function consoleRoutes({ region, resolve }: Acting, item: Item<typeof ComputeInstance>): readonly Route[] {
  return [
    itemRoute({
      ...common,
      method: 'GET',
      path: `${path}/consoleoutput`,
      operationId: 'getInstanceConsoleOutput',
      summary: 'Read what an instance wrote to its console',
      params: InstancePath,
      query: ConsoleOutputQuery,
      responses: { 200: ConsoleOutput },
      item,
      verb: 'read',
      handler: async (request, instance) => {
        demandOn(request, endpoints.console, 'read', instance);
        return {
          status: 200,
          body: await region.consoleOutput(...(await serverOf(resolve, instance)), request.query.length),
        };
      },
    }),
    itemRoute({
      ...common,
      method: 'GET',
      path: `${path}/consolesession`,
      operationId: 'createInstanceConsoleSession',
      summary: 'Open a console of an instance',
      params: InstancePath,
      responses: { 200: ConsoleSession },
      cacheControl: 'no-store',
      item,
      verb: 'read',
      handler: async (request, instance) => {
        demandOn(request, endpoints.console, 'read', instance);
        return { status: 200, body: await region.consoleSession(...(await serverOf(resolve, instance))) };
      },
    }),
  ];
}

function keyRoute({ region, resolve }: Acting, item: Item<typeof ComputeInstance>): Route {
  return itemRoute({
    ...common,
    method: 'GET',
    path: `${path}/sshkey`,
    operationId: 'getInstanceSSHKey',
    summary: 'Read the key that opens an instance',
    params: InstancePath,
    responses: { 200: SshKey },
    cacheControl: 'no-store',
    item,
    verb: 'read',
    handler: async (request, instance) => {
      demandOn(request, endpoints.key, 'read', instance);
      return { status: 200, body: await region.sshKey(...(await serverOf(resolve, instance))) };
    },
  });
}
