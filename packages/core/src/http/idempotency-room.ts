import { LRUCache } from 'lru-cache';

import { defined } from '../defined.ts';
import { isProblem, Problem } from '../errors/index.ts';
import { internalLimits, limits, waits } from '../limits.ts';
import { matching, type Store } from '../store/index.ts';
import type { World } from '../world/index.ts';
import { callerLabel, IdempotencyRecord, sizeOf } from './idempotency-record.ts';

interface Usage {
  bytes: number;
  /** Resolves when the records that were stored before are counted. */
  readonly counted: Promise<void>;
}

/**
 * Tracks the size of the idempotency records of each caller. If a caller is over the limit, its oldest records are
 * removed; they no longer protect against repeated requests. If all its records are recent, the request is refused.
 */
export class IdempotencyRoom {
  readonly #store: Store;
  readonly #usage = new LRUCache<string, Usage>({ max: internalLimits.idempotencyCallers });
  readonly #trims = new Map<string, Promise<void>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Makes space for one more record of the caller, or refuses the request. */
  async demand(caller: string, world: World): Promise<void> {
    const usage = this.#usageOf(caller);
    await usage.counted;
    if (usage.bytes < limits.idempotencyBytes) return;
    await this.#trim(caller, usage, world);
    if (usage.bytes < limits.idempotencyBytes) return;
    throw new Problem(
      'too_many_requests',
      'you have used too many idempotency keys; send fewer requests, or send them without Idempotency-Key',
      { retryAfter_s: limits.idempotencyAge_ms / 1000 },
    );
  }

  /** Adds to the size of the caller's records. */
  add(caller: string, bytes: number): void {
    const usage = this.#usage.get(caller);
    if (usage) usage.bytes += bytes;
  }

  /**
   * Replaces all counts by those of a sweep, which has read all records. Otherwise each caller would be counted again,
   * and on Kubernetes each count compares the labels of all records.
   */
  recount(sizes: ReadonlyMap<string, number>): void {
    for (const caller of [...this.#usage.keys()])
      this.#usage.set(caller, { bytes: sizes.get(caller) ?? 0, counted: Promise.resolve() });
  }

  #usageOf(caller: string): Usage {
    const known = this.#usage.get(caller);
    if (known) return known;
    const count = async () => {
      for await (const record of this.#recordsOf(caller)) usage.bytes += sizeOf(record);
    };
    const usage: Usage = { bytes: 0, counted: Promise.resolve().then(count) };
    this.#usage.set(caller, usage);
    // A count that failed is repeated with the next request.
    usage.counted.catch(() => this.#usage.delete(caller));
    return usage;
  }

  /** Runs once for all requests that wait for it. */
  #trim(caller: string, usage: Usage, world: World): Promise<void> {
    const running = this.#trims.get(caller);
    if (running) return running;
    const trim = this.#forgetOldest(caller, usage, world).finally(() => this.#trims.delete(caller));
    this.#trims.set(caller, trim);
    return trim;
  }

  async #forgetOldest(caller: string, usage: Usage, world: World): Promise<void> {
    const old: { readonly name: string; readonly expiresAt: number; readonly bytes: number }[] = [];
    const youngest = world.now() + waits.idempotency_ms - limits.idempotencyAge_ms;
    for await (const record of this.#recordsOf(caller)) {
      const {
        metadata: { name },
        spec: { expiresAt },
      } = record;
      if (expiresAt <= youngest) old.push({ name, expiresAt, bytes: sizeOf(record) });
    }
    for (const { name, bytes } of old.sort((a, b) => a.expiresAt - b.expiresAt)) {
      if (usage.bytes < limits.idempotencyBytes / 2) return;
      await this.#store.delete(IdempotencyRecord, name).catch((error: unknown) => {
        if (!isProblem(error, 'conflict')) throw error;
      });
      usage.bytes -= bytes;
    }
  }

  async *#recordsOf(caller: string): AsyncGenerator<IdempotencyRecord> {
    let from: string | undefined;
    do {
      const page = await this.#store.list(IdempotencyRecord, {
        selector: matching({ [callerLabel]: caller }),
        limit: limits.listedItems,
        bytes: limits.listedBytes,
        ...defined({ continue: from }),
      });
      yield* page.items;
      from = page.continue;
    } while (from !== undefined);
  }
}

const known = new WeakMap<Store, IdempotencyRoom>();

export function idempotencyRoomIn(store: Store): IdempotencyRoom {
  const room = known.get(store) ?? new IdempotencyRoom(store);
  known.set(store, room);
  return room;
}
