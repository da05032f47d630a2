import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';

import { defined } from '../defined.ts';
import { isProblem } from '../errors/index.ts';
import type { DeepReadonly } from '../kinds/index.ts';
import { limits } from '../limits.ts';
import type { CallEvent, OnBehalf, ServiceCall, ServiceCalls, WatchOptions } from './calls.ts';
import { converted } from './converted.ts';
import { unavailable } from './refusal.ts';
import { idOf } from './resume.ts';

type Value<Schema extends TSchema> = DeepReadonly<Static<Schema>>;

/** One event of a watch, with objects of one type. The order of events is that of `CallEvent`. */
export type Change<T> =
  | { readonly type: 'added' | 'modified'; readonly id: string; readonly object: T; readonly position?: string }
  /** An object that does not match the contract. The other objects are still sent. */
  | { readonly type: 'unreadable'; readonly id: string; readonly position?: string }
  | Exclude<CallEvent, { readonly type: 'added' | 'modified' }>;

/** Calls whose responses have one type. */
export interface TypedCalls<T> {
  call(on: OnBehalf, call: ServiceCall): Promise<T>;
  /** All objects of a route that lists this type. The next page is requested when the one before has been read. */
  list(on: OnBehalf, call: ServiceCall): AsyncIterable<T>;
  /** Watches a route that shows one or many objects of this type. */
  watch(on: OnBehalf, call: ServiceCall, options: WatchOptions): AsyncIterable<Change<T>>;
}

/**
 * Gives types to the responses of a service. A response that does not match the contract is a bug of that service, and
 * is not passed on as data.
 *
 * @example
 * const servers = typedCalls(calls)(ServerRead);
 * const server = await servers.call(on, { method: 'GET', path: '/api/v2/servers/{serverID}', params: { serverID } });
 */
export function typedCalls(calls: ServiceCalls): <Schema extends TSchema>(schema: Schema) => TypedCalls<Value<Schema>> {
  return <Schema extends TSchema>(schema: Schema) => {
    const validator = Compile(schema);
    /** Objects that never change and were validated before, such as a catalogue. */
    const checked = new WeakSet();
    const fits = (body: unknown): body is Value<Schema> => {
      if (calls.inProcess) return true;
      const lasts = typeof body === 'object' && body !== null && Object.isFrozen(body);
      if (lasts && checked.has(body)) return true;
      if (!validator.Check(body)) return false;
      if (lasts) checked.add(body);
      return true;
    };
    const demand = (body: unknown, { method, path }: ServiceCall): Value<Schema> => {
      if (fits(body)) return body;
      throw unavailable(
        calls.service,
        new Error(`${calls.service} answered ${method} ${path} with a body that does not match its contract`),
      );
    };
    return {
      call: async (on, call) => demand((await calls.call(on, call)).body, call),
      async *list(on, call) {
        let next: string | undefined;
        do {
          const query = { ...call.query, limit: limits.pageItems, ...defined({ continue: next }) };
          const { body, headers } = await calls.call(on, { ...call, query });
          for (const item of Array.isArray(body) ? body : [body]) yield demand(item, call);
          next = headers?.['continue'];
        } while (next !== undefined);
      },
      watch: (on, call, options) =>
        converted(calls.watch(on, call, options), (event): Change<Value<Schema>> => {
          if (!('body' in event)) return event;
          const { type, body, position } = event;
          const at = { id: idOf(body), ...defined({ position }) };
          return fits(body) ? { type, object: body, ...at } : { type: 'unreadable', ...at };
        }),
    };
  };
}

/**
 * Calls the function. Returns undefined if it throws `not_found`.
 *
 * @example const server = await unlessMissing(() => region.server(on, serverId));
 */
export async function unlessMissing<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (isProblem(error, 'not_found')) return undefined;
    throw error;
  }
}
