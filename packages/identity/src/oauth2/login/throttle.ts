import { isProblem } from '@unikorn/core/errors';
import type { World } from '@unikorn/core/world';

import { limits, patience, waits } from '../../limits.ts';

/** The limits for one account or address. */
export interface Patience {
  /** Failures without a delay, because users mistype. */
  readonly free: number;
  readonly longest_ms: number;
}

/** How often, and when for the last time. */
export interface Attempts {
  readonly count: number;
  readonly last: number;
}

/** Counters of attempts. */
export interface Counters {
  find(key: string): Promise<Attempts | undefined>;
  /**
   * Changes a counter. `decide` may be called several times, and returns undefined to change nothing, or `none` to
   * remove it. Throws `conflict` if others change it again and again.
   */
  change(key: string, decide: (known: Attempts | undefined) => Attempts | 'none' | undefined): Promise<void>;
}

export interface ThrottleDeps {
  readonly world: World;
  readonly counters: Counters;
}

/** The delay after this many failed attempts: none at first, then 1 s, doubling. */
export function pause_ms(count: number, { free, longest_ms }: Patience): number {
  return count < free ? 0 : Math.min(longest_ms, waits.firstLoginPause_ms * 2 ** (count - free));
}

/** Delays repeated attempts. Attempts count for an hour. */
export class Throttle {
  readonly #deps: ThrottleDeps;
  readonly #name: string;
  readonly #patience: Patience;

  /** Throttles with the same name share their counters. */
  constructor(deps: ThrottleDeps, name: string, patience: Patience) {
    this.#deps = deps;
    this.#name = name;
    this.#patience = patience;
  }

  /** The time until the next attempt; zero if it may be made now. */
  async wait_ms(key: string): Promise<number> {
    return this.#left_ms(await this.#recent(key));
  }

  /**
   * The time until the next attempt. If it is zero, the attempt counts, before its result is known: so concurrent
   * attempts count separately.
   */
  async begin(key: string): Promise<number> {
    let left_ms = 0;
    const isDecided = await this.#change(key, (known) => {
      left_ms = this.#left_ms(known);
      return left_ms > 0 ? undefined : { count: (known?.count ?? 0) + 1, last: this.#deps.world.now() };
    });
    // So many attempts at the same time are too many.
    return isDecided ? left_ms : waits.firstLoginPause_ms;
  }

  /** The current number of counted attempts. */
  async counted(key: string): Promise<number> {
    return (await this.#recent(key))?.count ?? 0;
  }

  /** Removes this many attempts; all by default. */
  async forgive(key: string, attempts = Infinity): Promise<void> {
    await this.#change(key, (known) => {
      if (!known) return undefined;
      return known.count > attempts ? { ...known, count: known.count - attempts } : 'none';
    });
  }

  async #recent(key: string): Promise<Attempts | undefined> {
    return this.#unexpired(await this.#deps.counters.find(this.#idOf(key)));
  }

  /** False if too many others change it at the same time. */
  async #change(key: string, decide: (known: Attempts | undefined) => Attempts | 'none' | undefined): Promise<boolean> {
    try {
      await this.#deps.counters.change(this.#idOf(key), (known) => decide(this.#unexpired(known)));
      return true;
    } catch (error) {
      if (isProblem(error, 'conflict')) return false;
      throw error;
    }
  }

  #unexpired(known: Attempts | undefined): Attempts | undefined {
    return known && this.#deps.world.now() - known.last < waits.failedLogins_ms ? known : undefined;
  }

  #left_ms(known: Attempts | undefined): number {
    return known ? Math.max(0, known.last + pause_ms(known.count, this.#patience) - this.#deps.world.now()) : 0;
  }

  #idOf(key: string): string {
    return `${this.#name} ${key}`;
  }
}

/**
 * Counts failed logins by account and by address, over all processes. A success clears the failures of the account and,
 * at the address, those for this account: users who mistype and then log in do not delay colleagues behind the same
 * proxy. Failures for other accounts stay, so an attacker cannot continue to guess by logging in to their own account
 * from time to time.
 */
export class LoginThrottle {
  readonly #accounts: Throttle;
  readonly #addresses: Throttle;
  /** The part of an address's count that is for one account. It causes no delay on its own. */
  readonly #pairs: Throttle;

  constructor(deps: ThrottleDeps) {
    this.#accounts = new Throttle(deps, 'account', patience.account);
    this.#addresses = new Throttle(deps, 'address', patience.address);
    this.#pairs = new Throttle(deps, 'account at address', { ...patience.address, free: Infinity });
  }

  /** The milliseconds that the attempt must wait. If it need not wait, it counts as failed until it succeeds. */
  async attempt(given: string, address: string): Promise<number> {
    const account = given.slice(0, limits.accountLength);
    const waits_ms = await Promise.all([this.#accounts.wait_ms(account), this.#addresses.wait_ms(address)]);
    const wait_ms = Math.max(...waits_ms) || (await this.#accounts.begin(account));
    if (wait_ms > 0) return wait_ms;
    const ofAddress_ms = await this.#addresses.begin(address);
    if (ofAddress_ms > 0) await this.#accounts.forgive(account, 1);
    else await this.#pairs.begin(pairOf(account, address));
    return ofAddress_ms;
  }

  async succeeded(given: string, address: string): Promise<void> {
    const account = given.slice(0, limits.accountLength);
    const pair = pairOf(account, address);
    const counted = await this.#pairs.counted(pair);
    await Promise.all([
      this.#accounts.forgive(account),
      this.#addresses.forgive(address, counted),
      this.#pairs.forgive(pair),
    ]);
  }
}

function pairOf(account: string, address: string): string {
  return JSON.stringify([account, address]);
}
