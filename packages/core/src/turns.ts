import type { World } from './world/index.ts';

/** Ends a turn; calling it again does nothing. */
export type EndTurn = () => void;

/**
 * Admits a limited number of requests or provider calls at a time, and shares the places fairly. When all are taken,
 * the next free place goes to the caller with the fewest, so that a caller with many requests mostly waits for itself.
 * A single caller gets all places.
 *
 * @example const turns = new Turns(world, 32); const end = await turns.take(principal); try { await call(); } finally { end(); }
 */
export class Turns {
  readonly #world: World;
  readonly #places: number;
  readonly #longest_ms: number | undefined;
  readonly #working = new Map<string, number>();
  /** In the order in which callers were last admitted. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #taken = 0;

  /**
   * After `longest_ms` a turn counts as ended, even if its work continues. Without it, a turn lasts until it is ended.
   */
  constructor(world: World, places: number, longest_ms?: number) {
    this.#world = world;
    this.#places = places;
    this.#longest_ms = longest_ms;
  }

  async take(caller: string): Promise<EndTurn> {
    if (this.#places === Infinity) return () => undefined;
    if (this.#taken >= this.#places) await this.#wait(caller);
    else this.#occupy(caller);
    let over = false;
    const end = () => {
      if (over) return;
      over = true;
      cancel?.();
      this.#vacate(caller);
    };
    const cancel = this.#longest_ms === undefined ? undefined : this.#world.after(this.#longest_ms, end);
    return end;
  }

  #wait(caller: string): Promise<void> {
    const queue = this.#waiting.get(caller) ?? [];
    this.#waiting.set(caller, queue);
    return new Promise((resolve) => queue.push(resolve));
  }

  #occupy(caller: string): void {
    this.#taken += 1;
    this.#working.set(caller, (this.#working.get(caller) ?? 0) + 1);
  }

  #vacate(caller: string): void {
    const left = (this.#working.get(caller) ?? 1) - 1;
    if (left === 0) this.#working.delete(caller);
    else this.#working.set(caller, left);
    this.#taken -= 1;
    this.#letNextIn();
  }

  #letNextIn(): void {
    const next = this.#nextCaller();
    if (next === undefined) return;
    const queue = this.#waiting.get(next) ?? [];
    const enter = queue.shift();
    this.#waiting.delete(next);
    if (queue.length > 0) this.#waiting.set(next, queue);
    this.#occupy(next);
    enter?.();
  }

  /** Of the callers with the fewest places, the one that was admitted longest ago. */
  #nextCaller(): string | undefined {
    let next: string | undefined;
    let fewest = Infinity;
    for (const caller of this.#waiting.keys()) {
      const places = this.#working.get(caller) ?? 0;
      if (places >= fewest) continue;
      next = caller;
      fewest = places;
    }
    return next;
  }
}
