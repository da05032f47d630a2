import type { FastifyInstance } from 'fastify';

import type { Store } from '@unikorn/core/store';
import type { VirtualWorld } from '@unikorn/core/world';

import { signIn } from './sign-in.ts';
import type { Answer, Call, Method } from './start-identity.ts';

export interface DriveOptions {
  readonly server: FastifyInstance;
  readonly store: Store;
  readonly world: VirtualWorld;
  /** The default caller of a call. */
  readonly token: string;
}

/**
 * Helpers of a test for services that run in virtual time.
 *
 * @example const { request, eventually } = drive({ server, store, world, token });
 */
export function drive({ server, store, world, token: usual }: DriveOptions) {
  const tokenFor = (token: string) =>
    token.startsWith('user:') ? signIn({ store, world }, token.slice('user:'.length)) : token;
  return {
    /** Calls a service by its path, and advances the clock until there is a response. */
    request: async (method: Method, url: string, { token = usual, body, headers = {} }: Call = {}): Promise<Answer> => {
      const authorization = { authorization: `Bearer ${await tokenFor(token)}` };
      const injected = server.inject({
        method,
        url,
        headers: { ...authorization, ...headers },
        ...(body ? { payload: body } : {}),
      });
      let answered = false;
      void injected.finally(() => {
        answered = true;
      });
      await world.until(() => answered);
      const response = await injected;
      return {
        status: response.statusCode,
        body: response.body === '' ? undefined : response.json<unknown>(),
        headers: response.headers,
      };
    },
    /** Advances the clock, by half a second at a time, until a condition is true. */
    eventually: async <T>(look: () => Promise<T>, holds: (seen: T) => boolean, within_ms = 120_000): Promise<T> => {
      await world.settle();
      for (let waited = 0; ; waited += 500) {
        const seen = await look();
        if (holds(seen)) return seen;
        if (waited >= within_ms) throw new Error(`not within ${within_ms} ms; last seen: ${JSON.stringify(seen)}`);
        await world.advance(500);
      }
    },
  };
}
