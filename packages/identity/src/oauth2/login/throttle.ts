import type { World } from '@unikorn/core/world';

/** How patient we are with one account or address. */
export interface Patience {
  /** Failures that cost nothing: people mistype. */
  readonly free: number;
  readonly longest_ms: number;
}

/** Low enough that nobody can lock a person out of their account for long by failing in their name. */
export const accountPatience: Patience = { free: 5, longest_ms: 60_000 };
/** Many people may share an address. */
export const addressPatience: Patience = { free: 20, longest_ms: 15 * 60_000 };

const firstPause_ms = 1_000;
/** Whoever was quiet for this long starts anew. */
const forgotten_ms = 3600_000;
/** Bounds memory; an attacker who fills it has been slowed down that many times. */
const remembered = 10_000;

interface Attempts {
  readonly count: number;
  readonly last: number;
}

/** The pause after this many attempts that did not succeed: nothing, then 1 s, doubling. */
export function pause_ms(count: number, { free, longest_ms }: Patience): number {
  return count < free ? 0 : Math.min(longest_ms, firstPause_ms * 2 ** (count - free));
}

/** Slows down whoever keeps trying. It lives in memory: each process counts for itself, and a restart forgives. */
export class Throttle {
  readonly #world: World;
  readonly #patience: Patience;
  readonly #attempts = new Map<string, Attempts>();

  constructor(world: World, patience: Patience) {
    this.#world = world;
    this.#patience = patience;
  }

  /** How long the next attempt must wait; zero when it may be made now. */
  wait_ms(key: string): number {
    const attempts = this.#recent(key);
    return attempts ? Math.max(0, attempts.last + pause_ms(attempts.count, this.#patience) - this.#world.now()) : 0;
  }

  /** Counts an attempt before it is known how it ends, so that many at once do not count as one. */
  begin(key: string): void {
    const count = (this.#recent(key)?.count ?? 0) + 1;
    this.#attempts.delete(key);
    this.#attempts.set(key, { count, last: this.#world.now() });
    const [oldest] = this.#attempts.keys();
    if (this.#attempts.size > remembered && oldest !== undefined) this.#attempts.delete(oldest);
  }

  forgive(key: string): void {
    this.#attempts.delete(key);
  }

  #recent(key: string): Attempts | undefined {
    const attempts = this.#attempts.get(key);
    return attempts && this.#world.now() - attempts.last < forgotten_ms ? attempts : undefined;
  }
}
