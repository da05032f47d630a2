import type { FastifyInstance } from 'fastify';

import { defined } from '../../defined.ts';
import type { Service } from '../../http/index.ts';
import type { ApiMethod, ApiOperation } from './operations.ts';
import { servedApi } from './served.ts';
import type { ServedApi } from './superset.ts';

export type Headers = Readonly<Record<string, string>>;

/** A request below the base of a service. */
export interface WireRequest {
  /** The intended operation, without the defect. */
  readonly operation: ApiOperation;
  readonly method: ApiMethod;
  readonly url: string;
  readonly headers: Headers;
  readonly payload?: string | object;
}

export interface WireAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** A running service with objects for the variables of every path. */
export interface ContractStage {
  send(request: WireRequest): Promise<WireAnswer>;
  /** The API that the service describes. */
  served(): Promise<ServedApi>;
  /** A caller with all rights, and one without any. */
  readonly callers: { readonly everything: Headers; readonly nothing: Headers };
  /**
   * The value of a path variable, for an object that exists (in a state that allows the operation) or one that does
   * not.
   */
  variable(name: string, existence: 'present' | 'absent', operation: ApiOperation): string;
  /** A valid body of an operation that takes one. */
  body(operation: ApiOperation): object;
  /** Waits until the objects of the operation allow it, where earlier operations take a while. */
  ready?(operation: ApiOperation): Promise<void>;
}

/** A service that is called without a connection; `body` returns a valid body for an operation id. */
export function inProcess(
  service: Service,
  server: FastifyInstance,
  body: (operationId: string) => object,
): Pick<ContractStage, 'send' | 'served' | 'body'> {
  return {
    send: ({ method, url, headers, payload }) =>
      server.inject({
        method,
        url: `${service.base ?? ''}${url}`,
        headers: { ...headers },
        ...defined({ payload }),
      }),
    served: () => servedApi(service),
    body: ({ name, method, path }) => {
      const route = service.routes.find((candidate) => candidate.method === method && candidate.path === path);
      if (!route) throw new Error(`${name} is not served`);
      return body(route.operationId);
    },
  };
}
