import type { RawRoute } from '@unikorn/core/http';
import type { World } from '@unikorn/core/world';
import type { FastifyReply } from 'fastify';

import { digestOf } from '../digest.ts';
import { limits, patience, waits } from '../limits.ts';
import { asReceived } from './external-request.ts';
import type { OpenIdHost } from './host.ts';
import { deviceGrant, lifetimes } from './lifetimes.ts';
import { problemPage } from './login/page.ts';
import { countersInMemory } from './login/counters.ts';
import { Throttle } from './login/throttle.ts';
import { paths } from './paths.ts';
import { tooLong } from './request-limits.ts';

/** More than the number of open codes. */
const rememberedPolls = 2 * limits.deviceCodes;

/**
 * Limits the requests of devices without a browser, and of clients that imitate one. The counters are in memory,
 * separate in each process: a code has 20^8 values and is valid for minutes, so a client cannot guess one by using
 * several processes, and a counter in the store would cost more than the request.
 */
export class DeviceLimits {
  readonly #world: World;
  readonly #guesses: Throttle;
  /** The addresses that requested codes, with the times, the oldest first. */
  #given: readonly { readonly address: string; readonly at: number }[] = [];
  readonly #polls = new Map<string, number>();

  constructor(world: World) {
    this.#world = world;
    this.#guesses = new Throttle({ world, counters: countersInMemory() }, 'device code', patience.deviceCode);
  }

  /** The seconds that the address must wait for a code. If it need not wait, a code counts as issued. */
  code(address: string): number {
    const now = this.#world.now();
    const lifetime_ms = lifetimes.DeviceCode * 1000;
    this.#given = this.#given.filter(({ at }) => now - at < lifetime_ms);
    const own = this.#given.filter((given) => given.address === address);
    const [full] =
      own.length >= limits.deviceCodesOfAddress ? own : this.#given.length >= limits.deviceCodes ? this.#given : [];
    if (full) return Math.ceil((full.at + lifetime_ms - now) / 1000);
    this.#given = [...this.#given, { address, at: now }];
    return 0;
  }

  /**
   * The seconds that the address must wait to enter a code. If it need not wait, the attempt counts as wrong until it
   * succeeds.
   */
  async guess(address: string): Promise<number> {
    return Math.ceil((await this.#guesses.begin(address)) / 1000);
  }

  async guessedRight(address: string): Promise<void> {
    await this.#guesses.forgive(address, 1);
  }

  /** Whether a device polls too often. */
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

  /** Whether a token request is from a device that polls too often. */
  isTooSoon(form: URLSearchParams): boolean {
    const code = form.get('device_code');
    return form.get('grant_type') === deviceGrant && code !== null && this.isPollTooSoon(code);
  }
}

/** The endpoints where devices request codes, and the pages where users enter them (RFC 8628). */
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
        const wait_s = await limits.guess(request.ip);
        if (wait_s > 0) {
          const { headers, body } = problemPage(`Too many wrong codes: try again in ${wait_s} seconds.`, request.url);
          void reply
            .code(429)
            .headers({ ...headers, 'retry-after': String(wait_s) })
            .send(body);
          return;
        }
        await host.answer(request, reply);
        if (reply.raw.statusCode < 400) await limits.guessedRight(request.ip);
      },
    },
    {
      method: 'GET',
      path: `${paths.code_verification}/{uid}`,
      handler: (request, reply) => host.answer(request, reply),
    },
  ];
}

/** A response in the format of the protocol. */
export function refuse(reply: FastifyReply, status: number, error: string, description: string): Promise<void> {
  void reply
    .code(status)
    .header('cache-control', 'no-store')
    .type('application/json')
    .send(JSON.stringify({ error, error_description: description }));
  return Promise.resolve();
}
