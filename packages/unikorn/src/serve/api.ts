import type { FastifyInstance } from 'fastify';

import { Problem } from '@unikorn/core/errors';

/** A resource as far as the demo looks at it. */
export interface Named {
  readonly metadata: { readonly id: string; readonly name: string };
}

/** Calls the services of this process as a client would, without a connection. */
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

  /** The resource of that name in a list, or else a new one: a demo that was cut short is completed. */
  async ensure(
    path: string,
    payload: { readonly metadata: { readonly name: string }; readonly spec: object },
  ): Promise<Named> {
    const present = await this.list(path);
    return present.find(({ metadata }) => metadata.name === payload.metadata.name) ?? (await this.post(path, payload));
  }

  async #call<Answer>(method: 'GET' | 'POST' | 'PUT', url: string, payload?: object): Promise<Answer> {
    const response = await this.#server.inject({
      method,
      url,
      headers: { authorization: `Bearer ${this.#token}` },
      ...(payload ? { payload } : {}),
    });
    if (response.statusCode >= 300)
      throw new Problem(
        'server_error',
        `the demo data could not be created: ${method} ${url} answered ${response.statusCode} ${response.body}`,
      );
    return response.json<Answer>();
  }
}
