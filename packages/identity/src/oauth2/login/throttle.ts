import type { World } from '@unikorn/core/world';

import { limits, waits } from '../../limits.ts';

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

interface Attempts {
  readonly count: number;
  readonly last: number;
}

/** The pause after this many attempts that did not succeed: nothing, then 1 s, doubling. */
export function pause_ms(count: number, { free, longest_ms }: Patience): number {
  return count < free ? 0 : Math.min(longest_ms, waits.firstLoginPause_ms * 2 ** (count - free));
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
    if (this.#attempts.size > limits.throttledLogins && oldest !== undefined) this.#attempts.delete(oldest);
  }

  /** How many attempts are counted at the moment. */
  counted(key: string): number {
    return this.#recent(key)?.count ?? 0;
  }

  /** Takes back this many attempts, all of them unless it is said. */
  forgive(key: string, attempts = Infinity): void {
    const known = this.#recent(key);
    if (known && known.count > attempts) this.#attempts.set(key, { ...known, count: known.count - attempts });
    else this.#attempts.delete(key);
  }

  #recent(key: string): Attempts | undefined {
    const attempts = this.#attempts.get(key);
    return attempts && this.#world.now() - attempts.last < waits.failedLogins_ms ? attempts : undefined;
  }
}

/**
 * Counts failed logins by account and by address. A success takes back all that failed for the account, and at the
 * address what failed for this account: people who mistype and then log in cost their colleagues behind the same proxy
 * nothing. Failures for other accounts stay, so nobody can go on guessing by logging in to an account of their own now
 * and then.
 */
export class LoginThrottle {
  readonly #accounts: Throttle;
  readonly #addresses: Throttle;
  /** How much of an address's count is for one account; it delays nobody by itself. */
  readonly #pairs: Throttle;

  constructor(world: World) {
    this.#accounts = new Throttle(world, accountPatience);
    this.#addresses = new Throttle(world, addressPatience);
    this.#pairs = new Throttle(world, addressPatience);
  }

  /** How many milliseconds the attempt must wait; when it need not, it counts as failed until it succeeds. */
  attempt(account: string, address: string): number {
    const wait_ms = Math.max(
      this.#accounts.wait_ms(account.slice(0, limits.accountLength)),
      this.#addresses.wait_ms(address),
    );
    if (wait_ms > 0) return wait_ms;
    this.#accounts.begin(account.slice(0, limits.accountLength));
    this.#addresses.begin(address);
    this.#pairs.begin(pairOf(account, address));
    return 0;
  }

  succeeded(account: string, address: string): void {
    const pair = pairOf(account, address);
    this.#accounts.forgive(account);
    this.#addresses.forgive(address, this.#pairs.counted(pair));
    this.#pairs.forgive(pair);
  }
}

function pairOf(account: string, address: string): string {
  return JSON.stringify([account.slice(0, limits.accountLength), address]);
}
