import { trace } from '@opentelemetry/api';

import { noAccess, type Caller, type Principal } from '../access/index.ts';
import type { Store } from '../store/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import type { World } from '../world/index.ts';
import type { Service } from './compiled.ts';
import { isStream, isStreamedReply, type Authority, type Reply, type Request } from './request.ts';
import type { Method, Route } from './route.ts';
import { wholeBody } from './streamed.ts';

/** One operation, as one service asks it of another. */
export interface ServiceCall {
  readonly method: Method;
  /** As the operation is declared, such as `/api/v2/servers/{serverID}`. */
  readonly path: `/${string}`;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: object;
}

/** For whom a service asks; impersonating, with no more rights than they have themselves. */
export interface OnBehalf {
  readonly principal: Principal;
  readonly impersonate: boolean;
}

/** How a service asks another; refusals are thrown as the problems they are. */
export type ServiceCalls = (onBehalf: OnBehalf, call: ServiceCall) => Promise<Reply>;

export interface LocalCallsOptions {
  readonly service: Service;
  /** Whose certificate the caller would show. */
  readonly commonName: string;
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  readonly instance: string;
}

/**
 * Calls the operations of a service in this process: its rights are checked and its handlers run as for a request, but
 * nothing is written to a connection, and what the caller's own types promise is not checked again.
 *
 * @example
 * const region = localCalls({ service: region.service, commonName: 'unikorn-compute', store, world, telemetry, instance });
 * const { body } = await region({ principal, impersonate: true }, { method: 'GET', path: '/api/v2/networks/{networkID}', params: { networkID } });
 */
export function localCalls({ service, commonName, ...runtime }: LocalCallsOptions): ServiceCalls {
  const routes = new Map(service.routes.map((route) => [`${route.method} ${route.path}`, route]));
  return async (onBehalf, call) => {
    const route = routes.get(`${call.method} ${call.path}`);
    if (!route) throw new Error(`${service.name} has no operation ${call.method} ${call.path}`);
    const authorize = () => authorityOf(service, commonName, onBehalf, route);
    const request: Request = {
      ...(await authorize()),
      ...requestOf(call),
      log: runtime.telemetry.log,
      runtime,
      violates: () => undefined,
      reauthorize: authorize,
    };
    const answer = await route.handler(request);
    if (isStream(answer)) throw new Error(`${call.method} ${call.path} was answered as a stream that nobody asked for`);
    return isStreamedReply(answer)
      ? { status: answer.status, ...(answer.headers ? { headers: answer.headers } : {}), body: await wholeBody(answer) }
      : answer;
  };
}

async function authorityOf(
  { authenticator }: Service,
  commonName: string,
  { principal, impersonate }: OnBehalf,
  { security }: Route,
): Promise<Authority> {
  const caller: Caller = await authenticator.authenticate(
    { type: 'certificate', commonName, principal, impersonate },
    {},
  );
  return { caller, acl: security === 'bearer' ? await authenticator.access(caller, {}) : noAccess };
}

/** Nobody can go away before the answer is there. */
const lasting = new AbortController().signal;

function requestOf({
  method,
  path,
  params = {},
  query = {},
  body,
}: ServiceCall): Omit<Request, keyof Authority | 'log' | 'runtime' | 'violates' | 'reauthorize'> {
  return {
    method,
    url: path,
    params,
    query,
    body,
    headers: {},
    traceId: trace.getActiveSpan()?.spanContext().traceId ?? '',
    wantsEvents: false,
    signal: lasting,
  };
}
