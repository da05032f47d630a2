import type { World } from '@unikorn/core/world';

import { limits, patience, waits } from '../../limits.ts';

/** The limits for one account or address. */
export interface Patience {
  /** Failures without a delay, because users mistype. */
  readonly free: number;
  readonly longest_ms: number;
}

interface Attempts {
  readonly count: number;
  readonly last: number;
}

/** The delay after this many failed attempts: none at first, then 1 s, doubling. */
export function pause_ms(count: number, { free, longest_ms }: Patience): number {
  return count < free ? 0 : Math.min(longest_ms, waits.firstLoginPause_ms * 2 ** (count - free));
}

/** Delays repeated attempts. The counters are in memory: each process has its own, and a restart clears them. */
export class Throttle {
  readonly #world: World;
  readonly #patience: Patience;
  readonly #attempts = new Map<string, Attempts>();

  constructor(world: World, patience: Patience) {
    this.#world = world;
    this.#patience = patience;
  }

  /** The time until the next attempt; zero if it may be made now. */
  wait_ms(key: string): number {
    const attempts = this.#recent(key);
    return attempts ? Math.max(0, attempts.last + pause_ms(attempts.count, this.#patience) - this.#world.now()) : 0;
  }

  /** Counts an attempt before its result is known, so that concurrent attempts count separately. */
  begin(key: string): void {
    const count = (this.#recent(key)?.count ?? 0) + 1;
    this.#attempts.delete(key);
    this.#attempts.set(key, { count, last: this.#world.now() });
    const [oldest] = this.#attempts.keys();
    if (this.#attempts.size > limits.throttledLogins && oldest !== undefined) this.#attempts.delete(oldest);
  }

  /** The current number of counted attempts. */
  counted(key: string): number {
    return this.#recent(key)?.count ?? 0;
  }

  /** Removes this many attempts; all by default. */
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
 * Counts failed logins by account and by address. A success clears the failures of the account and, at the address,
 * those for this account: users who mistype and then log in do not delay colleagues behind the same proxy. Failures for
 * other accounts stay, so an attacker cannot continue to guess by logging in to their own account from time to time.
 */
export class LoginThrottle {
  readonly #accounts: Throttle;
  readonly #addresses: Throttle;
  /** The part of an address's count that is for one account. It causes no delay on its own. */
  readonly #pairs: Throttle;

  constructor(world: World) {
    this.#accounts = new Throttle(world, patience.account);
    this.#addresses = new Throttle(world, patience.address);
    this.#pairs = new Throttle(world, patience.address);
  }

  /** The milliseconds that the attempt must wait. If it need not wait, it counts as failed until it succeeds. */
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
