import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { v4 } from 'uuid';

import type { World } from './world.ts';

interface Timer {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Event loop turns that a program gets to settle before the clock moves. Each turn runs all microtasks. */
const settlingTurns = 3;

/**
 * A world whose clock only moves when a test advances it. Time, randomness and ids depend on the seed alone, so the
 * same seed repeats a run.
 *
 * @example await world.until(async () => (await store.get(Network, id)) === undefined);
 */
export class VirtualWorld implements World {
  readonly seed: number;
  #now: number;
  readonly #start: number;
  #order = 0;
  #timers = new Set<Timer>();
  readonly #generator;
  readonly #turn: () => Promise<void>;

  /** `turn` yields to the real event loop once; a virtual world needs no other real effect. */
  constructor(options: { readonly seed?: number; readonly start?: string; readonly turn: () => Promise<void> }) {
    this.seed = options.seed ?? 1;
    this.#start = this.#now = Date.parse(options.start ?? '2026-01-01T00:00:00Z');
    this.#generator = xoroshiro128plus(this.seed);
    this.#turn = options.turn;
  }

  now(): number {
    return this.#now;
  }

  monotonic_ms(): number {
    return this.#now - this.#start;
  }

  after(delay_ms: number, callback: () => void): () => void {
    const timer: Timer = { due: this.#now + Math.max(0, delay_ms), order: this.#order++, callback };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  sleep(delay_ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = () => {
        cancel();
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      const cancel = this.after(delay_ms, finish);
      signal?.addEventListener('abort', finish, { once: true });
    });
  }

  turn(): Promise<void> {
    return this.#turn();
  }

  random(): number {
    return uniformInt(this.#generator, 0, 2 ** 30 - 1) / 2 ** 30;
  }

  randomBytes(size: number): Uint8Array {
    return Uint8Array.from({ length: size }, () => uniformInt(this.#generator, 0, 255));
  }

  uuid(): string {
    return v4({ random: this.randomBytes(16) });
  }

  /** Runs everything that can run without time passing. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < settlingTurns; turn++) await this.#turn();
  }

  /** Moves the clock. It fires all timers in order, and lets the effects of each settle before the next one. */
  async advance(duration_ms: number): Promise<void> {
    const end = this.#now + duration_ms;
    await this.settle();
    for (let next = this.#next(); next && next.due <= end; next = this.#next()) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.due);
      next.callback();
      await this.settle();
    }
    this.#now = end;
    await this.settle();
  }

  /** Advances time, timer by timer, until the condition is true. Throws when the limit passes first. */
  async until(condition: () => boolean | Promise<boolean>, limit_ms = 24 * 3600_000): Promise<void> {
    const end = this.#now + limit_ms;
    await this.settle();
    while (!(await condition())) {
      const next = this.#next();
      if (!next || next.due > end) {
        throw new Error(
          `the condition did not become true within ${limit_ms} ms of virtual time (seed ${this.seed}): ${condition.toString()}`,
        );
      }
      await this.advance(Math.max(0, next.due - this.#now));
    }
  }

  #next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers) {
      if (!first || timer.due < first.due || (timer.due === first.due && timer.order < first.order)) first = timer;
    }
    return first;
  }
}
