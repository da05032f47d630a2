import { trace } from '@opentelemetry/api';

import { noAccess, type Caller } from '../access/index.ts';
import { defined } from '../defined.ts';
import { isProblem } from '../errors/index.ts';
import type { Reply, Request, Route, Runtime, ServerEvent, Service } from '../http/index.ts';
import type { Line } from '../lines/index.ts';
import { runOnce } from '../http/idempotency.ts';
import { isStream, isStreamedReply, type Answer, type Authority } from '../http/request.ts';
import { wholeBody } from '../http/streamed.ts';
import { randomId } from '../resource/index.ts';
import { ensureTenure } from '../tenure.ts';
import { addressOf } from './address.ts';
import type { OnBehalf, ServiceCall, ServiceCalls } from './calls.ts';
import { carriedProblem } from './refusal.ts';
import { resumed } from './resume.ts';

export interface LocalCallsOptions extends Runtime {
  readonly service: Service;
  /** The common name of the certificate that the caller would have over HTTP. */
  readonly commonName: string;
}

/** The properties of an internal request that differ from the defaults. */
type Particulars = Partial<Pick<Request, 'url' | 'headers' | 'wantsEvents' | 'signal'>>;

/**
 * Calls the operations of a service in this process. Its access checks and handlers run as for an HTTP request, but
 * there is no connection, and the request is not validated again because the caller's types guarantee its shape. An
 * unexpected error of a handler is thrown unchanged.
 *
 * @example
 * const calls = localCalls({ service: region.service, commonName: 'unikorn-compute', store, world, telemetry, instance });
 * const { body } = await calls.call({ principal, impersonate: true }, { method: 'GET', path: '/api/v2/networks/{networkID}', params: { networkID } });
 */
export function localCalls({ service, commonName, ...runtime }: LocalCallsOptions): ServiceCalls {
  const routes = Map.groupBy(service.routes, ({ path }) => path);
  const routeOf = ({ method, path }: ServiceCall): Route => {
    const route = routes.get(path)?.find((one) => one.method === method);
    if (!route) throw new Error(`${service.name} has no operation ${method} ${path}`);
    return route;
  };

  const answerTo = async (
    route: Route,
    onBehalf: OnBehalf,
    call: ServiceCall,
    particulars?: Particulars,
  ): Promise<Answer> => {
    try {
      const authorize = () => authorityOf(service, commonName, onBehalf, route);
      const request: Request = {
        ...requestOf(call, particulars),
        ...(await authorize()),
        log: runtime.telemetry.log,
        runtime,
        violates: () => undefined,
        reauthorize: authorize,
        newId: () => randomId(runtime.world),
      };
      return await (route.idempotency ? runOnce(route, request) : route.handler(request));
    } catch (error) {
      throw isProblem(error) ? carriedProblem(service.name, error) : error;
    }
  };

  const open = async (
    route: Route,
    onBehalf: OnBehalf,
    call: ServiceCall,
    signal: AbortSignal,
    position: string | undefined,
  ): Promise<AsyncIterable<ServerEvent>> => {
    const headers = position === undefined ? {} : { 'last-event-id': position };
    const answer = await answerTo(route, onBehalf, call, { url: addressOf(call), headers, wantsEvents: true, signal });
    if (!isStream(answer)) throw new Error(`${call.method} ${call.path} did not answer with a stream`);
    return answer.events;
  };

  return {
    service: service.name,
    inProcess: true,
    async call(onBehalf, call) {
      if (call.method !== 'GET') ensureTenure();
      const answer = await answerTo(routeOf(call), onBehalf, call, keyed(call));
      if (isStream(answer))
        throw new Error(`${call.method} ${call.path} answered with a stream, but the call did not ask for one`);
      return isStreamedReply(answer) ? whole(answer) : answer;
    },
    async open(onBehalf, call, signal) {
      const answer = await answerTo(routeOf(call), onBehalf, call, { url: addressOf(call), signal });
      if (!('line' in answer)) throw new Error(`${call.method} ${call.path} does not open a line`);
      try {
        return carriedLine(service.name, await answer.line(signal));
      } catch (error) {
        throw isProblem(error) ? carriedProblem(service.name, error) : error;
      }
    },
    watch(onBehalf, call, options) {
      const route = routeOf(call);
      if (!route.streams) throw new Error(`${service.name} does not stream ${call.method} ${call.path}`);
      return resumed((position) => open(route, onBehalf, call, options.signal, position), options, {
        ...runtime,
        what: `${service.name} ${call.path}`,
      });
    },
  };
}

/** The end of a line has the same reason as over HTTP. */
function carriedLine(service: string, { pieces, send, close }: Line): Line {
  return { pieces: carriedPieces(service, pieces), send, close };
}

async function* carriedPieces(service: string, pieces: Line['pieces']): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    throw isProblem(error) ? carriedProblem(service, error) : error;
  }
}

async function whole(answer: Extract<Answer, { text: unknown }>): Promise<Reply> {
  const { status, headers } = answer;
  return { status, ...defined({ headers }), body: await wholeBody(answer) };
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

/** Idempotency keys are stored together with the URL. */
function keyed(call: ServiceCall): Particulars | undefined {
  const { idempotencyKey } = call;
  return idempotencyKey === undefined
    ? undefined
    : { url: addressOf(call), headers: { 'idempotency-key': idempotencyKey } };
}

/** A caller in the same process never disconnects before the response. */
const lasting = new AbortController().signal;

function requestOf(
  { method, path, params = {}, query = {}, body }: ServiceCall,
  particulars: Particulars = {},
): Omit<Request, keyof Authority | 'log' | 'runtime' | 'violates' | 'reauthorize' | 'newId'> {
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
    ...particulars,
  };
}
