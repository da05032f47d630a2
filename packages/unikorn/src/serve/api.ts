import type { FastifyInstance } from 'fastify';

import { Problem } from '@unikorn/core/errors';

import { limits } from '../limits.ts';

/** The part of a resource that the demo uses. */
export interface Named {
  readonly metadata: { readonly id: string; readonly name: string };
}

/** Calls the services of this process as a client, without a connection. */
export class Api {
  readonly #server: FastifyInstance;
  readonly #token: string;

  constructor(server: FastifyInstance, token: string) {
    this.#server = server;
    this.#token = token;
  }

  as(token: string): Api {
    return new Api(this.#server, token);
  }

  post<Answer = Named>(path: string, payload?: object): Promise<Answer> {
    return this.#call<Answer>('POST', path, payload);
  }

  put<Answer>(path: string, payload: object): Promise<Answer> {
    return this.#call<Answer>('PUT', path, payload);
  }

  list(path: string): Promise<readonly Named[]> {
    return this.#call('GET', path);
  }

  /** The resource with this name in a list, or a new one. So an interrupted demo is completed. */
  async ensure(
    path: string,
    payload: { readonly metadata: { readonly name: string }; readonly spec: object },
  ): Promise<Named> {
    const present = await this.list(path);
    return present.find(({ metadata }) => metadata.name === payload.metadata.name) ?? (await this.post(path, payload));
  }

  async #call<Answer>(method: 'GET' | 'POST' | 'PUT', url: string, payload?: object): Promise<Answer> {
    const send = () =>
      this.#server.inject({
        method,
        url,
        headers: { authorization: `Bearer ${this.#token}` },
        ...(payload ? { payload } : {}),
      });
    let response = await send();
    // On a busy machine the process may have stood still for a moment. Then it refuses changes that waited.
    for (let attempt = 1; response.statusCode === 503 && attempt < limits.demoAttempts; attempt += 1)
      response = await send();
    if (response.statusCode >= 300)
      throw new Problem(
        'server_error',
        `the demo data could not be created: ${method} ${url} answered ${response.statusCode} ${response.body}`,
      );
    return response.json<Answer>();
  }
}
