import { isIPv6 } from 'node:net';

import { LRUCache } from 'lru-cache';

import type { Caller } from '../access/index.ts';
import { Problem } from '../errors/index.ts';
import { type TrafficLimits, internalLimits, limits } from '../limits.ts';
import type { World } from '../world/index.ts';

/** Resources that are counted while they are in use. */
type Held = 'requests' | 'streams' | 'longAnswers';

/** The current usage of one caller, or of all callers together. */
class Account implements Record<Held, number> {
  requests = 0;
  streams = 0;
  longAnswers = 0;
  /** When the request bucket is full again, on the world's monotonic clock. */
  refilled_ms = 0;

  isIdle(now_ms: number): boolean {
    return this.requests + this.streams + this.longAnswers === 0 && this.refilled_ms <= now_ms;
  }
}

/** The unit of counting: a caller with credentials by subject, all others by address. */
export type Counted =
  { readonly type: 'caller'; readonly subject: string } | { readonly type: 'address'; readonly address: string };

interface Allowance {
  readonly perSecond: number;
  readonly burst: number;
  readonly requests: number;
}

/** Our own services are not counted, because they make requests for many users. */
export function countedAs({ accountType, subject }: Caller): Counted | undefined {
  return accountType === 'system' ? undefined : { type: 'caller', subject };
}

/** A request that is being counted. */
export interface Passage {
  /** Counts a stream or a chunked response until the passage ends. Throws if there are too many. */
  hold(what: Exclude<Held, 'requests'>): void;
  /**
   * Counts extra work as a number of requests. The request itself continues; later requests of the caller wait longer.
   */
  use(requests: number): void;
  /** Ends the passage. A second call does nothing. */
  leave(): void;
}

/**
 * Counts requests per second and requests in progress, for each caller and in total. A caller over its limit is refused
 * with 429. When the server as a whole is overloaded, requests are refused with 503. `@fastify/rate-limit` counts in
 * windows, which allow twice the rate at their borders. Neither it nor `@fastify/under-pressure` counts requests in
 * progress, and both use their own clock.
 */
export class Traffic {
  readonly #world: World;
  readonly #limits: TrafficLimits;
  readonly #accounts = new Map<string, Account>();
  readonly #total = new Account();
  /** Callers that were refused recently, by the credentials that they sent. */
  readonly #refused = new LRUCache<string, Counted>({ max: internalLimits.refusedKept });
  #heldRefusals = 0;

  constructor(world: World, limits: TrafficLimits) {
    this.#world = world;
    this.#limits = limits;
  }

  /** Number of callers and addresses in memory. */
  get size(): number {
    return this.#accounts.size;
  }

  /** Admits or refuses a request. A request without an account only counts in the total. */
  enter(counted: Counted | undefined): Passage {
    if (this.#total.requests >= this.#limits.totalRequests) throw busy('the server has too many requests in progress');
    const account = counted && this.#charge(counted);
    if (counted && account && account.requests >= this.#allowance(counted).requests)
      throw tooMany(`you have ${account.requests} requests in progress`, 1);
    return this.#passage(counted, account);
  }

  /** Admits or refuses a request with credentials. Refused credentials are remembered. */
  enterWith(credentials: string | undefined, counted: Counted | undefined): Passage {
    try {
      return this.enter(counted);
    } catch (refusal) {
      if (counted && credentials !== undefined && credentials.length <= internalLimits.refusedLength)
        this.#refused.set(credentials, counted);
      throw refusal;
    }
  }

  /**
   * Refuses callers that were refused recently and would be again, before their credentials are verified: verification
   * costs more than the rest of a refusal.
   */
  refuseAgain(credentials: string | undefined): void {
    const counted = credentials === undefined ? undefined : this.#refused.get(credentials);
    const account = counted && this.#accounts.get(keyOf(counted));
    if (counted && account) this.#demandRate(counted, account);
  }

  /** Refuses after a short delay, so that a caller that ignores Retry-After has to wait for the response. */
  refuseLater(refuse: () => void): void {
    if (this.#heldRefusals >= limits.heldRefusals) {
      refuse();
      return;
    }
    this.#heldRefusals += 1;
    this.#world.after(limits.refusal_ms, () => {
      this.#heldRefusals -= 1;
      refuse();
    });
  }

  /** Counts a request with invalid credentials against its address. */
  charge(counted: Counted): void {
    this.#charge(counted);
  }

  #charge(counted: Counted): Account {
    const account = this.#account(keyOf(counted), this.#world.monotonic_ms());
    account.refilled_ms = this.#demandRate(counted, account);
    return account;
  }

  /** When the bucket is full again after one more request. Throws if the bucket is empty. */
  #demandRate(counted: Counted, account: Account): number {
    const { perSecond, burst } = this.#allowance(counted);
    if (perSecond === Infinity) return account.refilled_ms;
    const now_ms = this.#world.monotonic_ms();
    const interval_ms = 1000 / perSecond;
    const refilled_ms = Math.max(account.refilled_ms, now_ms) + interval_ms;
    const wait_ms = refilled_ms - now_ms - burst * interval_ms;
    if (wait_ms > 0) throw tooMany(`you may send at most ${perSecond} requests per second`, wait_ms / 1000);
    return refilled_ms;
  }

  #allowance({ type }: Counted): Allowance {
    const { requestsPerSecond, requestBurst, requests, anonymousPerSecond, anonymousBurst, anonymousRequests } =
      this.#limits;
    return type === 'caller'
      ? { perSecond: requestsPerSecond, burst: requestBurst, requests }
      : { perSecond: anonymousPerSecond, burst: anonymousBurst, requests: anonymousRequests };
  }

  /** Returns the account and marks it as the most recently used. */
  #account(key: string, now_ms: number): Account {
    const account = this.#accounts.get(key) ?? new Account();
    this.#accounts.delete(key);
    if (this.#accounts.size >= internalLimits.trafficAccounts) this.#makeRoom(now_ms);
    this.#accounts.set(key, account);
    return account;
  }

  /**
   * Removes idle accounts, the least recently used first. The number of accounts with requests in progress is limited
   * by the server's total.
   */
  #makeRoom(now_ms: number): void {
    for (const [key, account] of this.#accounts) {
      if (!account.isIdle(Math.max(now_ms, account.refilled_ms))) continue;
      this.#accounts.delete(key);
      return;
    }
  }

  #use(counted: Counted, account: Account, requests: number): void {
    const { perSecond, burst } = this.#allowance(counted);
    if (perSecond === Infinity) return;
    const now_ms = this.#world.monotonic_ms();
    const interval_ms = 1000 / perSecond;
    account.refilled_ms = Math.min(
      Math.max(account.refilled_ms, now_ms) + requests * interval_ms,
      now_ms + burst * interval_ms + limits.debt_ms,
    );
  }

  #passage(counted: Counted | undefined, account: Account | undefined): Passage {
    const key = counted && keyOf(counted);
    const held: Held[] = [];
    const hold = (what: Held) => {
      if (account) account[what] += 1;
      this.#total[what] += 1;
      held.push(what);
    };
    const giveBack = (ended: readonly Held[]) => {
      for (const what of ended) {
        if (account) account[what] -= 1;
        this.#total[what] -= 1;
      }
    };
    hold('requests');
    return {
      hold: (what) => {
        this.#demandRoom(what, account);
        hold(what);
        // A stream lasts long, so it must not occupy one of the caller's concurrent requests.
        if (what === 'streams') giveBack(held.splice(held.indexOf('requests'), 1));
      },
      use: (requests) => {
        if (counted && account) this.#use(counted, account, requests);
      },
      leave: () => {
        giveBack(held.splice(0));
        if (
          key !== undefined &&
          account?.isIdle(this.#world.monotonic_ms()) === true &&
          this.#accounts.get(key) === account
        )
          this.#accounts.delete(key);
      },
    };
  }

  #demandRoom(what: Exclude<Held, 'requests'>, account: Account | undefined): void {
    const { streams, longAnswers, totalStreams, totalLongAnswers } = this.#limits;
    const [own, total] = what === 'streams' ? [streams, totalStreams] : [longAnswers, totalLongAnswers];
    const noun = what === 'streams' ? 'streams open' : 'long responses in progress';
    if (account && account[what] >= own) throw tooMany(`you have ${own} ${noun}: close one of them`, 1);
    if (this.#total[what] >= total) throw busy(`the server has too many ${noun}`);
  }
}

/** The holder of an IPv6 network can use all its addresses, so the network is counted. */
function keyOf(counted: Counted): string {
  if (counted.type === 'caller') return `caller ${counted.subject}`;
  const [, inside] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(counted.address) ?? [];
  const address = inside ?? counted.address;
  return `address ${isIPv6(address) ? networkOf(address) : address}`;
}

/** The first 64 bits, with `::` written out as far as needed. */
function networkOf(address: string): string {
  const [head = '', tail] = address.split('%', 1).join('').split('::');
  const words = head.split(':').filter((word) => word !== '');
  if (tail === undefined || words.length >= 4) return words.slice(0, 4).join(':');
  const rest = tail.split(':').filter((word) => word !== '');
  const zeros = Math.max(0, 8 - words.length - rest.length);
  return [...words, ...Array.from({ length: zeros }, () => '0'), ...rest].slice(0, 4).join(':');
}

function tooMany(what: string, wait_s: number): Problem {
  return new Problem('too_many_requests', `${what}; try again in a moment`, {
    retryAfter_s: Math.max(1, Math.ceil(wait_s)),
  });
}

function busy(what: string): Problem {
  return new Problem('overloaded', `${what}; try again in a moment`);
}
