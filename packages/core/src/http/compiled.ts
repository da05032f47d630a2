import type { Authenticator } from '../access/index.ts';
import { pathVariables, type RawRoute, type Route } from './route.ts';
import { bodyReader, paramsCheck, queryCheck, responseCheck, type Check } from './validation.ts';

/**
 * Asked by `/readyz`; fails or answers false while the service cannot do its work. The message of a Problem is shown.
 * That the store can be written is asked besides these.
 */
export type ReadinessChecks = Readonly<Record<string, () => Promise<boolean>>>;

/** A service as it is composed into a server. */
export interface Service {
  readonly name: string;
  /** The name that `/api/version` answers, where clients of the contract know the service by another one. */
  readonly contractName?: string;
  readonly version: string;
  /** Where the service is mounted when several share a port, such as `/region`. */
  readonly base?: `/${string}`;
  /**
   * Where the service is reached from outside, such as `https://cloud.example.com/region`; without it, the host that a
   * request names is believed.
   */
  readonly url?: string;
  readonly routes: readonly Route[];
  readonly rawRoutes?: readonly RawRoute[];
  readonly authenticator: Authenticator;
  /** Where tokens come from, such as `https://identity.example.com`. */
  readonly authorizationServer: string;
  /** The OAuth2 client by which people log in on the reference page; without it they can only paste a token. */
  readonly referenceClient?: string;
  readonly checks?: ReadinessChecks;
}

/** A route with its schemas made executable. */
export interface CompiledRoute {
  readonly route: Route;
  readonly service: Service;
  readonly checkParams: Check;
  readonly checkQuery: Check;
  /** Returns the declared fields of a body; fails if the body does not match the schema. */
  readonly readBody: (body: unknown) => unknown;
  /** Describes how a response violates the declaration of the route. */
  readonly violation: (status: number, body: unknown) => string | undefined;
}

const nothing: Check = () => undefined;

export function compileRoute(service: Service, route: Route): CompiledRoute {
  requireDeclaredVariables(route);
  const responses = new Map(
    Object.entries(route.responses).map(([status, schema]) => [
      Number(status),
      schema === null ? emptyOnly : responseCheck(schema),
    ]),
  );
  return {
    route,
    service,
    checkParams: route.params ? paramsCheck(route.params) : nothing,
    checkQuery: route.query ? queryCheck(route.query) : nothing,
    readBody: route.body ? bodyReader(route.body) : (body) => body,
    violation: (status, body) => {
      const check = responses.get(status);
      return check ? check(body) : `response: status ${status} is not declared`;
    },
  };
}

function emptyOnly(body: unknown): string | undefined {
  return body === undefined ? undefined : 'response: must be empty';
}

function requireDeclaredVariables({ operationId, path, params }: Route): void {
  for (const name of pathVariables(path)) {
    if (!params?.properties[name])
      throw new Error(`operation ${operationId}: path variable ${name} has no schema in params`);
  }
}
