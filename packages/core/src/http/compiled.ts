import type { Authenticator } from '../access/index.ts';
import { pathVariables, type RawRoute, type Route } from './route.ts';
import { bodyReader, paramsCheck, queryCheck, responseCheck, type Check } from './validation.ts';

/**
 * Called by `/readyz`. A check throws or returns false while the service is not ready. The message of a Problem is
 * shown. The server also checks that the store can be written.
 */
export type ReadinessChecks = Readonly<Record<string, () => Promise<boolean>>>;

/** A service as it is composed into a server. */
export interface Service {
  readonly name: string;
  /** The service name that `/api/version` returns, if clients of the contract know another one. */
  readonly contractName?: string;
  readonly version: string;
  /** Where the service is mounted when several share a port, such as `/region`. */
  readonly base?: `/${string}`;
  /**
   * The public URL of the service, such as `https://cloud.example.com/region`. Without it, the Host header of the
   * request is used.
   */
  readonly url?: string;
  readonly routes: readonly Route[];
  readonly rawRoutes?: readonly RawRoute[];
  readonly authenticator: Authenticator;
  /** The issuer of tokens, such as `https://identity.example.com`. */
  readonly authorizationServer: string;
  /** The OAuth2 client for logins on the reference page. Without it, users can only paste a token. */
  readonly referenceClient?: string;
  readonly checks?: ReadinessChecks;
}

/** A route with its schemas compiled. */
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
