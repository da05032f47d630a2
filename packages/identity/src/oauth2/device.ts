import type { RawRoute } from '@unikorn/core/http';
import type { World } from '@unikorn/core/world';
import type { FastifyReply } from 'fastify';

import { digestOf } from '../digest.ts';
import { waits } from '../limits.ts';
import { asReceived } from './external-request.ts';
import type { OpenIdHost } from './host.ts';
import { deviceGrant, lifetimes } from './lifetimes.ts';
import { problemPage } from './login/page.ts';
import { Throttle, type Patience } from './login/throttle.ts';
import { paths } from './paths.ts';
import { tooLong } from './request-limits.ts';

/** A code has 20^8 values; whoever guesses gets some tries and then waits. */
const guessPatience: Patience = { free: 10, longest_ms: 15 * 60_000 };

/** Codes that may be open at once: anybody can ask for one, and each takes about a kilobyte of the store. */
const openCodes = 1_000;
/** Of one address. Several people may share it. */
const openCodesOfAddress = 30;

/** More than there are codes. */
const rememberedPolls = 2 * openCodes;

/**
 * Bounds what devices without a browser, and whoever pretends to be one, can ask for. It lives in memory, in each
 * process for itself.
 */
export class DeviceLimits {
  readonly #world: World;
  readonly #guesses: Throttle;
  /** The addresses that codes were given to, with when, the oldest first. */
  #given: readonly { readonly address: string; readonly at: number }[] = [];
  readonly #polls = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
    this.#guesses = new Throttle(world, guessPatience);
  }

  /** How many seconds the address must wait for a code; when it need not, one counts as given. */
  code(address: string): number {
    const now = this.#world.now();
    const lifetime_ms = lifetimes.DeviceCode * 1000;
    this.#given = this.#given.filter(({ at }) => now - at < lifetime_ms);
    const own = this.#given.filter((given) => given.address === address);
    const [full] = own.length >= openCodesOfAddress ? own : this.#given.length >= openCodes ? this.#given : [];
    if (full) return Math.ceil((full.at + lifetime_ms - now) / 1000);
    this.#given = [...this.#given, { address, at: now }];
    return 0;
  }

  /**
   * How many seconds the address must wait to type a code; when it need not, the attempt counts as wrong until it is
   * right.
   */
  guess(address: string): number {
    const wait_ms = this.#guesses.wait_ms(address);
    if (wait_ms === 0) this.#guesses.begin(address);
    return Math.ceil(wait_ms / 1000);
  }

  guessedRight(address: string): void {
    this.#guesses.forgive(address, 1);
  }

  /** Whether a device asks again too soon. */
  isPollTooSoon(deviceCode: string): boolean {
    const key = digestOf(deviceCode);
    const now = this.#world.now();
    const last = this.#polls.get(key);
    this.#polls.delete(key);
    this.#polls.set(key, now);
    const [oldest] = this.#polls.keys();
    if (this.#polls.size > rememberedPolls && oldest !== undefined) this.#polls.delete(oldest);
    return last !== undefined && now - last < waits.devicePoll_ms;
  }

  /** Whether a token request is a device's that asks too often. */
  isTooSoon(form: URLSearchParams): boolean {
    const code = form.get('device_code');
    return form.get('grant_type') === deviceGrant && code !== null && this.isPollTooSoon(code);
  }
}

/** Where devices get their codes, and where people type them in (RFC 8628). */
export function deviceRoutes(host: OpenIdHost, limits: DeviceLimits): readonly RawRoute[] {
  return [
    {
      method: 'POST',
      path: paths.device_authorization,
      handler: async (request, reply) => {
        const received = asReceived(request);
        const problem = tooLong(new URLSearchParams(received.body));
        if (problem !== undefined) return refuse(reply, 400, 'invalid_request', problem);
        const wait_s = limits.code(request.ip);
        if (wait_s > 0)
          return refuse(
            reply.header('retry-after', String(wait_s)),
            429,
            'temporarily_unavailable',
            `too many device codes are open: try again in ${wait_s} seconds`,
          );
        return host.answer(request, reply, {
          ...received,
          headers: { ...received.headers, accept: 'application/json' },
        });
      },
    },
    { method: 'GET', path: paths.code_verification, handler: (request, reply) => host.answer(request, reply) },
    {
      method: 'POST',
      path: paths.code_verification,
      handler: async (request, reply) => {
        const wait_s = limits.guess(request.ip);
        if (wait_s > 0) {
          const { headers, body } = problemPage(`Too many wrong codes: try again in ${wait_s} seconds.`, request.url);
          void reply
            .code(429)
            .headers({ ...headers, 'retry-after': String(wait_s) })
            .send(body);
          return;
        }
        await host.answer(request, reply);
        if (reply.raw.statusCode < 400) limits.guessedRight(request.ip);
      },
    },
    {
      method: 'GET',
      path: `${paths.code_verification}/{uid}`,
      handler: (request, reply) => host.answer(request, reply),
    },
  ];
}

/** An answer in the form of the protocol. */
export function refuse(reply: FastifyReply, status: number, error: string, description: string): Promise<void> {
  void reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json')
    .send(JSON.stringify({ error, error_description: description }));
  return Promise.resolve();
}
