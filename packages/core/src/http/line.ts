import type { TObject } from 'typebox';
import { Type } from 'typebox';

import type { Operation as Verb } from '../access/index.ts';
import { Problem } from '../errors/index.ts';
import { kindWords, type Kind, type Resource } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import { guardedLine, lineProtocol, type Line } from '../lines/index.ts';
import { demandVerb, loadItem, type Item } from './item-access.ts';
import type { Asking, Reply, Request } from './request.ts';
import type { Operation, Route } from './route.ts';

/** The answer to a request that does not ask for a WebSocket: the caller may open the line. */
export const LineRead = Type.Object(
  { upgrade: Type.Literal('websocket'), protocol: Type.Literal(lineProtocol) },
  {
    $id: 'lineRead',
    description: 'The line can be opened: send the same request as an upgrade to WebSocket with this sub-protocol.',
  },
);

export interface LineDeclaration<K extends Kind> extends Omit<Operation, 'method' | 'idempotency' | 'cacheControl'> {
  readonly params: TObject;
  readonly item: Item<K>;
  readonly verb: Verb;
  readonly actions?: readonly string[];
  /** Throws if the caller may not use the line. It is called again and again while the line is open. */
  check?(object: Resource<K>, asking: Asking): Promise<void> | void;
  /** Throws if the line cannot be opened now. It is only called before the line is opened. */
  ready?(object: Resource<K>): Promise<void> | void;
  open(request: Request, object: Resource<K>, signal: AbortSignal): Promise<Line>;
}

interface AnyLine extends Omit<LineDeclaration<Kind>, 'item'> {
  readonly item: Item;
}

/**
 * A two-way connection to one object, over a WebSocket. The access of the caller is checked again while it is open, and
 * the number of lines is limited for each caller and each object.
 *
 * @example
 * lineRoute({
 *   path: '/api/v2/servers/{serverID}/terminal', operationId: 'openServerTerminal', summary: 'Open a terminal',
 *   tags: ['Servers'], security: 'bearer', params: ServerPath, item: serverItem, verb: 'read',
 *   open: (_request, server, signal) => terminalOf(server, signal),
 * });
 */
export function lineRoute<K extends Kind>(declaration: LineDeclaration<K>): Route;
export function lineRoute(declaration: AnyLine): Route {
  const { item, verb, actions } = declaration;
  const lines = new Lines();
  const allowed = async (request: Request): Promise<Resource> => {
    const object = await loadItem(item, request, verb);
    await declaration.check?.(object, request);
    return object;
  };
  const admit = async (request: Request, object: Resource): Promise<void> => {
    demandVerb(item, request, verb, object);
    await declaration.check?.(object, request);
  };
  const open = async (request: Request, object: Resource, signal: AbortSignal): Promise<Line> => {
    const { world } = request.runtime;
    const leave = lines.enter(request, object, kindWords(item.kind));
    try {
      return guardedLine(await declaration.open(request, object, signal), {
        world,
        ended: leave,
        check: async () => {
          const authority = await request.reauthorize();
          if (world.now() >= (authority.caller.expiresAt ?? Number.POSITIVE_INFINITY))
            throw new Problem('access_denied', 'the token has expired');
          await allowed({ ...request, ...authority });
        },
      });
    } catch (error) {
      leave();
      throw error;
    }
  };
  return {
    ...declaration,
    method: 'GET',
    responses: { 200: LineRead },
    cacheControl: 'no-store',
    opensLine: true,
    ...(actions ? { acts: { names: actions, admit } } : {}),
    handler: async (request): Promise<Reply> => {
      const object = await allowed(request);
      await declaration.ready?.(object);
      return {
        status: 200,
        body: { upgrade: 'websocket', protocol: lineProtocol },
        line: (signal) => open(request, object, signal),
      };
    },
  };
}

/** The open lines of a route in this process. */
class Lines {
  readonly #open = new Map<string, number>();

  /** Counts one more line, until the returned function is called. Services open lines for many users. */
  enter({ caller }: Request, { metadata: { name } }: Resource, words: string): () => void {
    const own = caller.accountType === 'system' ? undefined : `caller ${caller.subject}`;
    const object = `object ${name}`;
    if (own !== undefined && this.#count(own) >= limits.linesPerCaller)
      throw new Problem('too_many_requests', `you have ${limits.linesPerCaller} terminals open: close one of them`);
    if (this.#count(object) >= limits.linesPerObject)
      throw new Problem(
        'too_many_requests',
        `this ${words} has ${limits.linesPerObject} terminals open: close one of them`,
      );
    const keys = [object, ...(own === undefined ? [] : [own])];
    for (const key of keys) this.#open.set(key, this.#count(key) + 1);
    return () => {
      for (const key of keys.splice(0)) {
        const left = this.#count(key) - 1;
        if (left > 0) this.#open.set(key, left);
        else this.#open.delete(key);
      }
    };
  }

  #count(key: string): number {
    return this.#open.get(key) ?? 0;
  }
}
