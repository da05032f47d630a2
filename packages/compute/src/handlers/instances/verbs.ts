import { demand, type Operation as Right } from '@unikorn/core/access';
import { defined } from '@unikorn/core/defined';
import { Problem } from '@unikorn/core/errors';
import type { OnBehalf } from '@unikorn/core/calls';
import { allowsOn, itemRoute, lineRoute, type Asking, type Foreseen, type Item, type Route } from '@unikorn/core/http';
import {
  ConsoleOutput,
  ConsoleOutputQuery,
  ConsoleSession,
  machineActions,
  SshKey,
  type PowerVerb,
} from '@unikorn/region/client';

import { InstancePath } from '../../api/common.ts';
import { RebootQuery } from '../../api/instances.ts';
import type { ComputeContext } from '../../context.ts';
import type { ComputeInstance } from '../../kinds/index.ts';
import type { Resolution, ResolveServer } from '../../link/index.ts';
import { asService } from '../../on-behalf.ts';
import { endpoints } from '../endpoints.ts';

export type Acting = Pick<ComputeContext, 'regionClient'> & { readonly resolve: ResolveServer };

const common = { tags: ['Instances'], security: 'bearer' } as const;
const path = '/api/v2/instances/{instanceID}';

/** A caller who may see an instance may still lack the permission for an action. */
export function demandOn(
  { acl }: Pick<Asking, 'acl'>,
  endpoint: string,
  right: Right,
  { metadata }: ComputeInstance,
): void {
  demand(allowsOn(acl, endpoint, right, metadata), endpoint, right);
}

/** Refuses actions on an instance that is being deleted, even if its machine still exists. */
export function refuseDeleted({ metadata }: ComputeInstance): void {
  if (metadata.deletionTimestamp !== undefined)
    throw new Problem('invalid_request', `instance ${metadata.name} is being deleted`);
}

/** The server of the instance and the principal for the call. Throws unless there is exactly one server. */
export async function serverOf(
  resolve: ResolveServer,
  instance: ComputeInstance,
): Promise<readonly [OnBehalf, string]> {
  const resolution = await resolve(instance);
  if (resolution.type !== 'one') throw unresolved(instance, resolution);
  return [asService(instance.metadata), resolution.server.metadata.id];
}

function unresolved({ metadata }: ComputeInstance, { type }: Exclude<Resolution, { type: 'one' }>): Problem {
  switch (type) {
    case 'none':
      return new Problem(
        'conflict',
        `instance ${metadata.name} has no machine at the moment: wait until it is provisioned, then try again`,
      );
    case 'many':
      return new Problem(
        'server_error',
        `more than one machine is marked as the machine of instance ${metadata.name}, and none was changed: ask the platform operator`,
      );
  }
}

/** The actions that region carries out on the machine of an instance, or refuses. */
const actionsOfRegion = [...machineActions, 'sshkey'] as const;

/** The reasons why region would refuse actions on the machine of an instance, as region words them. */
export async function foreseenOfMachine(
  { regionClient, resolve }: Acting,
  instance: ComputeInstance,
): Promise<Foreseen> {
  if (instance.metadata.deletionTimestamp !== undefined) return {};
  const resolution = await resolve(instance);
  if (resolution.type !== 'one') {
    const { message: reason } = unresolved(instance, resolution);
    return Object.fromEntries(actionsOfRegion.map((action) => [action, { reason }]));
  }
  const answered = await regionClient.serverActions(asService(instance.metadata), resolution.server.metadata.id);
  return Object.fromEntries(
    answered.flatMap(({ action, reason, fulfilled }) =>
      reason !== undefined && actionsOfRegion.some((each) => each === action)
        ? [[action, { reason, ...defined({ fulfilled }) }] as const]
        : [],
    ),
  );
}

export function instanceVerbRoutes(context: Acting, item: Item<typeof ComputeInstance>): readonly Route[] {
  return [
    powerRoute(context, item, {
      path: 'start',
      operationId: 'startInstance',
      summary: 'Start an instance',
      records: 'start',
      actions: ['start'],
      verb: () => 'start',
    }),
    powerRoute(context, item, {
      path: 'stop',
      operationId: 'stopInstance',
      summary: 'Stop an instance',
      records: 'stop',
      actions: ['stop'],
      verb: () => 'stop',
    }),
    powerRoute(context, item, {
      path: 'reboot',
      operationId: 'rebootInstance',
      summary: 'Reboot an instance',
      query: RebootQuery,
      records: ({ hard }) => (hard === true ? 'hard reboot' : 'reboot'),
      actions: ['softreboot', 'hardreboot'],
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
  readonly records: NonNullable<Route['records']>;
  readonly actions: readonly PowerVerb[];
  readonly verb: (query: { readonly hard?: boolean }) => PowerVerb;
}

function powerRoute(
  { regionClient, resolve }: Acting,
  item: Item<typeof ComputeInstance>,
  { path: word, operationId, summary, query, actions, records, verb }: Power,
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
    records,
    actions,
    check: (instance, asking) => {
      demandOn(asking, endpoints.power, 'update', instance);
      refuseDeleted(instance);
    },
    handler: async (request, instance) => {
      await regionClient.power(...(await serverOf(resolve, instance)), verb(request.query));
      return { status: 202 };
    },
  });
}

function demandConsole(instance: ComputeInstance, asking: Asking): void {
  demandOn(asking, endpoints.console, 'read', instance);
  refuseDeleted(instance);
}

function consoleRoutes({ regionClient, resolve }: Acting, item: Item<typeof ComputeInstance>): readonly Route[] {
  return [
    itemRoute({
      ...common,
      method: 'GET',
      path: `${path}/consoleoutput`,
      operationId: 'getInstanceConsoleOutput',
      summary: 'Read the console output of an instance',
      params: InstancePath,
      query: ConsoleOutputQuery,
      responses: { 200: ConsoleOutput },
      item,
      verb: 'read',
      actions: ['consoleoutput'],
      check: demandConsole,
      handler: async (request, instance) => ({
        status: 200,
        body: await regionClient.consoleOutput(...(await serverOf(resolve, instance)), request.query.length),
      }),
    }),
    itemRoute({
      ...common,
      method: 'GET',
      path: `${path}/consolesession`,
      operationId: 'createInstanceConsoleSession',
      summary: 'Open a console session of an instance',
      params: InstancePath,
      responses: { 200: ConsoleSession },
      cacheControl: 'no-store',
      records: 'consolesession',
      item,
      verb: 'read',
      actions: ['consolesession'],
      check: demandConsole,
      handler: async (_request, instance) => ({
        status: 200,
        body: await regionClient.consoleSession(...(await serverOf(resolve, instance))),
      }),
    }),
    lineRoute({
      ...common,
      path: `${path}/terminal`,
      operationId: 'openInstanceTerminal',
      summary: 'Open a terminal at the serial console of an instance',
      params: InstancePath,
      records: 'terminal',
      item,
      verb: 'read',
      actions: ['terminal'],
      check: demandConsole,
      ready: async (instance) => {
        await regionClient.demandTerminal(...(await serverOf(resolve, instance)));
      },
      open: async (_request, instance, signal) => regionClient.terminal(...(await serverOf(resolve, instance)), signal),
    }),
  ];
}

function keyRoute({ regionClient, resolve }: Acting, item: Item<typeof ComputeInstance>): Route {
  return itemRoute({
    ...common,
    method: 'GET',
    path: `${path}/sshkey`,
    operationId: 'getInstanceSSHKey',
    summary: 'Read the private SSH key of an instance',
    params: InstancePath,
    responses: { 200: SshKey },
    cacheControl: 'no-store',
    records: 'sshkey',
    item,
    verb: 'read',
    actions: ['sshkey'],
    check: (instance, asking) => {
      demandOn(asking, endpoints.key, 'read', instance);
      refuseDeleted(instance);
    },
    handler: async (_request, instance) => ({
      status: 200,
      body: await regionClient.sshKey(...(await serverOf(resolve, instance))),
    }),
  });
}
