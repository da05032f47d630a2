import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { isProblem } from '../errors/index.ts';
import type { VirtualWorld } from '../world/index.ts';

export const carriers = ['in the same process', 'over HTTP'] as const;
export type Carrier = (typeof carriers)[number];

/** Longer than any call, retry or stream timeout. */
const patience_ms = 120_000;

/**
 * Advances virtual time in small steps until the work is done. Connections within one process need event loop turns,
 * but no time.
 */
export async function passing<T>(world: VirtualWorld, work: Promise<T>): Promise<T> {
  const under = new Set([work]);
  const finish = () => {
    under.clear();
  };
  work.then(finish, finish);
  const end = world.now() + patience_ms;
  while (under.size > 0 && world.now() < end) await world.advance(10);
  if (under.size > 0) throw new Error(`the work did not end within ${patience_ms} ms of virtual time`);
  return work;
}

/** All items of a list that is read page by page. */
export async function everyOne<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Reads the events of a watch one by one. */
export function taking<Event extends { readonly type: string }>(events: AsyncIterable<Event>) {
  const iterator = events[Symbol.asyncIterator]();
  const next = async (): Promise<Event | undefined> => {
    const result = await iterator.next();
    return result.done === true ? undefined : result.value;
  };
  return {
    next,
    /** All events up to the first one of the type. */
    async until(type: Event['type']): Promise<readonly Event[]> {
      const taken: Event[] = [];
      while (true) {
        const event = await next();
        if (!event) throw new Error(`the watch ended before ${type}`);
        taken.push(event);
        if (event.type === type) return taken;
      }
    },
  };
}

/** Records the result of a call: its response or its error. */
export type See = (work: Promise<unknown>) => Promise<void>;

/** Test calls for every method of a client. A method without calls does not compile. */
export type Scripts<Client, Stage> = {
  readonly [Method in keyof Client]: (client: Client, see: See, stage: Stage) => Promise<void>;
};

export interface CarriersDeclaration<Client extends object, Stage> {
  readonly open: (carrier: Carrier) => Promise<{
    readonly client: Client;
    readonly stage: Stage;
    readonly world: VirtualWorld;
    readonly stop: () => Promise<void>;
  }>;
  readonly scripts: Scripts<Client, Stage>;
}

/**
 * Calls every method of a client over both carriers, in the order of the scripts, and compares the results. Identifiers
 * and times are compared by position and not by value. It needs vitest, so it is imported from
 * `@unikorn/core/testing/carriers`.
 *
 * @example describeCarriers('identity', { open, scripts: { charge: async (client, see, { principal, charge }) => see(client.charge(principal, charge)), … } });
 */
export function describeCarriers<Client extends object, Stage>(
  title: string,
  { open, scripts }: CarriersDeclaration<Client, Stage>,
): void {
  describe(`${title} over both carriers`, () => {
    const seen = new Map<Carrier, ReadonlyMap<string, readonly unknown[]>>();
    const stops: (() => Promise<void>)[] = [];
    beforeAll(async () => {
      for (const carrier of carriers) {
        const { client, stage, world, stop } = await open(carrier);
        stops.push(stop);
        seen.set(carrier, await transcript({ client, stage, world }, scripts));
      }
    });
    afterAll(async () => {
      for (const stop of stops) await stop();
    });

    it.each(Object.keys(scripts))('%s returns and refuses the same', (method) => {
      const [local = [], remote = []] = carriers.map((carrier) => seen.get(carrier)?.get(method));
      expect(local).not.toEqual([]);
      expect(remote).toEqual(local);
    });
  });
}

async function transcript<Client extends object, Stage>(
  { client, stage, world }: { readonly client: Client; readonly stage: Stage; readonly world: VirtualWorld },
  scripts: Scripts<Client, Stage>,
): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const outcomes = new Map<string, readonly unknown[]>();
  const numbers = new Map<string, string>();
  for (const method of Object.keys(scripts) as (keyof Client & string)[]) {
    const called = new Set<string | symbol>();
    const watched = new Proxy(client, {
      get: (target, name) => {
        called.add(name);
        return Reflect.get(target, name) as unknown;
      },
    });
    const noted: unknown[] = [];
    const see: See = async (work) => {
      noted.push(comparable(await passing(world, outcomeOf(work)), numbers));
    };
    await scripts[method](watched, see, stage);
    if (!called.has(method)) throw new Error(`the script of ${method} does not call it`);
    outcomes.set(method, noted);
  }
  return outcomes;
}

async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return { answer: (await work) ?? 'nothing' };
  } catch (error) {
    if (!isProblem(error)) throw error;
    const { code, status, message, retryAfter_s } = error;
    return { refusal: { code, status, message, retryAfter_s } };
  }
}

/** UUIDs, MAC addresses and IP addresses. */
const identifier =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{2}(?::[0-9a-f]{2}){5}|\d{1,3}(?:\.\d{1,3}){3}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

function comparable(value: unknown, numbers: Map<string, string>): unknown {
  const numbered = (id: string) => {
    const number = numbers.get(id) ?? `id ${numbers.size + 1}`;
    numbers.set(id, number);
    return number;
  };
  return JSON.parse(JSON.stringify(value).replaceAll(identifier, numbered).replaceAll(time, 'a time'));
}
