import { LRUCache } from 'lru-cache';

import { defined } from '../defined.ts';
import { isProblem, Problem } from '../errors/index.ts';
import { limits } from '../limits.ts';
import { matching, type Store } from '../store/index.ts';
import type { World } from '../world/index.ts';
import { callerLabel, IdempotencyRecord, retention_ms, sizeOf } from './idempotency-record.ts';

interface Usage {
  bytes: number;
  /** Resolves once what was stored before is counted. */
  readonly counted: Promise<void>;
}

/** Callers whose usage is remembered; that of others is counted again when they come back. */
const callers = 10_000;

/**
 * The bytes of the idempotency keys of each caller. A caller over the limit loses the oldest records, which then
 * protect against no repetition any more; one whose records are all young is refused until some are older.
 */
export class IdempotencyRoom {
  readonly #store: Store;
  readonly #usage = new LRUCache<string, Usage>({ max: callers });
  readonly #trims = new Map<string, Promise<void>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Makes room for one more record of the caller, or refuses it. */
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

  /** Notes that the records of a caller grew. */
  add(caller: string, bytes: number): void {
    const usage = this.#usage.get(caller);
    if (usage) usage.bytes += bytes;
  }

  /** Counts everybody anew when they come next, because records were swept. */
  recount(): void {
    this.#usage.clear();
  }

  #usageOf(caller: string): Usage {
    const known = this.#usage.get(caller);
    if (known) return known;
    const count = async () => {
      for await (const record of this.#recordsOf(caller)) usage.bytes += sizeOf(record);
    };
    const usage: Usage = { bytes: 0, counted: Promise.resolve().then(count) };
    this.#usage.set(caller, usage);
    // Whoever cannot be counted now is counted at the next try.
    usage.counted.catch(() => this.#usage.delete(caller));
    return usage;
  }

  /** Once for all who wait for it. */
  #trim(caller: string, usage: Usage, world: World): Promise<void> {
    const running = this.#trims.get(caller);
    if (running) return running;
    const trim = this.#forgetOldest(caller, usage, world).finally(() => this.#trims.delete(caller));
    this.#trims.set(caller, trim);
    return trim;
  }

  async #forgetOldest(caller: string, usage: Usage, world: World): Promise<void> {
    const old: { readonly name: string; readonly expiresAt: number; readonly bytes: number }[] = [];
    const youngest = world.now() + retention_ms - limits.idempotencyAge_ms;
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
