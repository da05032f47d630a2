import { demand, type Operation as Right } from '@unikorn/core/access';
import { isProblem, Problem } from '@unikorn/core/errors';
import { itemRoute, lineRoute, type Asking, type Item, type Request, type Route } from '@unikorn/core/http';
import { labels } from '@unikorn/core/resource';
import { modifyStatus } from '@unikorn/core/store';
import { preciseTimestamp } from '@unikorn/core/world';

import { ServerPath } from '../../api/common.ts';
import { ConsoleOutput, ConsoleOutputQuery, ConsoleSession, SshKey } from '../../api/servers.ts';
import type { RegionContext } from '../../context.ts';
import { resolvedSshInjection, Server, type Phase } from '../../kinds/index.ts';
import { identityOf, labelOf } from '../../placement.ts';
import {
  isProviderFailure,
  powerVerbs,
  type CloudProvider,
  type IdentityReference,
  type PowerVerb,
  type ProviderFailure,
  type ServerReference,
} from '../../provider/index.ts';
import { asked } from '../../regions/index.ts';
import { machineRefusal, serverReference, type MachineAction } from '../../servers/index.ts';
import { endpoints } from '../endpoints.ts';
import { allowsOn } from '../project-resources.ts';

type Providers = Pick<RegionContext, 'providers'>;

const common = { tags: ['Servers'], security: 'bearer', hidden: true } as const;

/** Refuses an action that the caller's roles do not allow, although the caller may see the server. */
export function demandOn({ acl }: Pick<Request, 'acl'>, endpoint: string, right: Right, { metadata }: Server): void {
  demand(allowsOn(acl, endpoint, right, metadata), endpoint, right);
}

/**
 * Calls the provider of a server. If the provider refuses because of the server's status, the caller gets the same
 * reason as in the list of actions. A server that is not built yet exists, so the error is not `not_found`.
 */
export async function askAbout<T>(
  { providers }: Providers,
  { metadata, status }: Server,
  action: MachineAction | undefined,
  ask: (provider: CloudProvider, identity: IdentityReference, server: ServerReference) => Promise<T>,
): Promise<T> {
  try {
    return await asked(async () =>
      ask(
        await providers.cloudOf(labelOf(metadata, labels.region)),
        identityOf(metadata),
        serverReference({ metadata }),
      ),
    );
  } catch (error) {
    if (!isProblem(error) || !isProviderFailure(error.cause)) throw error;
    const reason = refusalBy(error.cause, status, action);
    throw reason === undefined ? error : new Problem('invalid_request', reason, { cause: error });
  }
}

function refusalBy(
  { kind }: ProviderFailure,
  status: Server['status'],
  action: MachineAction | undefined,
): string | undefined {
  if (kind === 'not_found' && status?.provisionedAt === undefined)
    return machineRefusal(undefined, 'consoleoutput')?.reason;
  return kind === 'conflict' && action !== undefined ? machineRefusal(status, action)?.reason : undefined;
}

interface Power {
  readonly operationId: string;
  readonly summary: string;
  /** The status that is shown until the monitor has observed the result. */
  readonly shown: (now: string) => { readonly phase: Phase } | { readonly rebootingSince: string };
}

const powers: Readonly<Record<PowerVerb, Power>> = {
  start: { operationId: 'startServer', summary: 'Start a server', shown: () => ({ phase: 'Pending' }) },
  stop: { operationId: 'stopServer', summary: 'Stop a server', shown: () => ({ phase: 'Stopping' }) },
  softreboot: {
    operationId: 'softRebootServer',
    summary: 'Reboot a server through its guest operating system',
    shown: (rebootingSince) => ({ rebootingSince }),
  },
  hardreboot: {
    operationId: 'hardRebootServer',
    summary: 'Reboot a server by switching its power off and on, also during a soft reboot',
    shown: (rebootingSince) => ({ rebootingSince }),
  },
};

export function serverVerbRoutes(context: Providers, item: Item<typeof Server>): readonly Route[] {
  return [
    ...powerVerbs.map((verb) => powerRoute(context, item, verb)),
    ...consoleRoutes(context, item),
    keyRoute(context, item),
  ];
}

function powerRoute(context: Providers, item: Item<typeof Server>, verb: PowerVerb): Route {
  const { operationId, summary, shown } = powers[verb];
  return itemRoute({
    ...common,
    method: 'POST',
    path: `/api/v2/servers/{serverID}/${verb}`,
    operationId,
    summary,
    params: ServerPath,
    responses: { 202: null },
    item,
    verb: 'read',
    records: verb,
    actions: [verb],
    check: (server, asking) => {
      demandOn(asking, endpoints.serverPower, 'update', server);
    },
    handler: async (request, server) => {
      await askAbout(context, server, verb, ({ servers }, identity, reference) =>
        servers.power(identity, reference, verb),
      );
      await show(request, server, shown(preciseTimestamp(request.runtime.world.now())));
      return { status: 202 };
    },
  });
}

/** The action has happened, so an error while writing the status must not look like a failure of the action. */
async function show(
  { runtime: { store }, log }: Pick<Request, 'runtime' | 'log'>,
  { metadata: { name } }: Server,
  shown: ReturnType<Power['shown']>,
): Promise<void> {
  try {
    await modifyStatus(store, Server, name, ({ metadata, status }) => ({ metadata, status: { ...status, ...shown } }));
  } catch (error) {
    if (!isProblem(error)) throw error;
    log.warn({ err: error, id: name }, 'the result of a power action could not be stored');
  }
}

function demandConsole(server: Server, asking: Asking): void {
  demandOn(asking, endpoints.serverConsole, 'read', server);
}

function consoleRoutes(context: Providers, item: Item<typeof Server>): readonly Route[] {
  return [
    itemRoute({
      ...common,
      method: 'GET',
      path: '/api/v2/servers/{serverID}/consoleoutput',
      operationId: 'getServerConsoleOutput',
      summary: 'Read the console output of a server',
      params: ServerPath,
      query: ConsoleOutputQuery,
      responses: { 200: ConsoleOutput },
      item,
      verb: 'read',
      actions: ['consoleoutput'],
      check: demandConsole,
      handler: async (request, server) => {
        const contents = await askAbout(context, server, 'consoleoutput', ({ servers }, identity, reference) =>
          servers.consoleOutput(identity, reference, request.query.length),
        );
        return { status: 200, body: { contents } };
      },
    }),
    itemRoute({
      ...common,
      method: 'GET',
      path: '/api/v2/servers/{serverID}/consolesessions',
      operationId: 'createServerConsoleSession',
      summary: 'Open a console session of a server',
      params: ServerPath,
      responses: { 200: ConsoleSession },
      cacheControl: 'no-store',
      records: 'consolesession',
      item,
      verb: 'read',
      actions: ['consolesession'],
      check: demandConsole,
      handler: async (_request, server) => {
        const { url } = await askAbout(context, server, 'consolesession', ({ servers }, identity, reference) =>
          servers.consoleSession(identity, reference),
        );
        return { status: 200, body: { url } };
      },
    }),
    lineRoute({
      ...common,
      path: '/api/v2/servers/{serverID}/terminal',
      operationId: 'openServerTerminal',
      summary: 'Open a terminal at the serial console of a server',
      params: ServerPath,
      records: 'terminal',
      item,
      verb: 'read',
      actions: ['terminal'],
      check: demandConsole,
      ready: ({ status }) => {
        const refused = machineRefusal(status, 'terminal');
        if (refused) throw new Problem('invalid_request', refused.reason);
      },
      open: async (_request, server, signal) => {
        const { pieces, send, close } = await askAbout(
          context,
          server,
          'terminal',
          ({ servers }, identity, reference) => servers.terminal(identity, reference, signal),
        );
        return { pieces: askedPieces(pieces), send: (piece) => asked(() => send(piece)), close };
      },
    }),
  ];
}

/** A failure of the provider ends the terminal with the same words as a refusal. */
async function* askedPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  try {
    while (true) {
      const next = await asked(() => iterator.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

/** Why a server does not have the key of its network, by SSH injection. */
const noKey = {
  identityKeypair: undefined,
  ca: 'the machine has no key: use a certificate of its SSH certificate authority to log in',
  none: 'the machine has no key: it was created without SSH access',
} as const;

function keyRoute(context: Providers, item: Item<typeof Server>): Route {
  return itemRoute({
    ...common,
    method: 'GET',
    path: '/api/v2/servers/{serverID}/sshkey',
    operationId: 'getServerSSHKey',
    summary: 'Read the private SSH key of a server',
    params: ServerPath,
    responses: { 200: SshKey },
    cacheControl: 'no-store',
    records: 'sshkey',
    item,
    verb: 'read',
    actions: ['sshkey'],
    check: (server, asking) => {
      demandOn(asking, endpoints.serverKey, 'read', server);
      const reason = noKey[resolvedSshInjection(server.spec)];
      if (reason !== undefined) throw new Problem('not_found', reason);
    },
    handler: async (_request, server) => {
      const privateKey = await askAbout(context, server, undefined, ({ identities }, identity) =>
        identities.privateKey(identity),
      );
      return { status: 200, body: { privateKey } };
    },
  });
}
