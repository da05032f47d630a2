import { Readable } from 'node:stream';
import { pipeline as pipe } from 'node:stream/promises';

import type {} from '@fastify/sse';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { noAccess, readCredentials, trustOf, type Caller, type CertificateTrust } from '../access/index.ts';
import { defined } from '../defined.ts';
import { isProblem, Problem } from '../errors/index.ts';
import { requestsIn } from '../requests.ts';
import { randomId, type Scope } from '../resource/index.ts';
import type { EndTurn, Turns } from '../turns.ts';
import type { CompiledRoute } from './compiled.ts';
import { parseQuery } from './elements.ts';
import type { Exchange } from './exchange.ts';
import { runOnce } from './idempotency.ts';
import { sendJson } from './json.ts';
import type { HttpLimits } from './limits.ts';
import { httpMetrics } from './metrics.ts';
import {
  isStream,
  isStreamedReply,
  type Authority,
  type Reply,
  type Request,
  type Runtime,
  type ServerEvent,
} from './request.ts';
import { Begun, beginStreamed, sendStreamed } from './send-streamed.ts';
import { lateRequest, type Standstill } from './standstill.ts';
import { unlessStalled } from './streamed.ts';
import { countedAs, type Traffic } from './traffic.ts';
import { adviceFor, advised, tooLate, tryAgain } from './unanswered.ts';
import { sendLine, wantsUpgrade } from './upgrade.ts';

export interface Pipeline {
  readonly runtime: Runtime;
  readonly limits: HttpLimits;
  readonly traffic: Traffic;
  readonly turns: Turns;
  readonly certificates: CertificateTrust;
  /** Origins of other sites whose pages may open lines. */
  readonly origins: readonly string[];
  /** Handling of a response that does not match its schema: `reported` in production, `enforced` in tests. */
  readonly contract: 'reported' | 'enforced';
  readonly standstill: Standstill | undefined;
}

export type RoutedRequest = FastifyRequest<{ Params: Record<string, string>; Querystring: Record<string, unknown> }>;

/** Before the body is read: checks the path, the credentials and the access. */
export async function admit(
  pipeline: Pipeline,
  exchange: Exchange,
  compiled: CompiledRoute,
  request: RoutedRequest,
): Promise<void> {
  const known = compiled.route.security !== 'anonymous';
  try {
    compiled.checkParams(request.params);
    exchange.params = request.params;
    exchange.query = parseQuery(compiled.route.query, request.query);
    if (!known) return;
    exchange.authority = await withDeadline(
      pipeline,
      exchange,
      exchange.run(() => authorize(pipeline, compiled, request)),
      tryAgain,
    );
  } catch (error) {
    // The caller is not known, so the request counts against the address.
    if (known && isProblem(error)) pipeline.traffic.charge({ type: 'address', address: request.ip });
    throw error;
  }
  exchange.passage = pipeline.traffic.enterWith(request.headers.authorization, countedAs(exchange.authority.caller));
}

async function authorize(
  pipeline: Pipeline,
  { route, service }: CompiledRoute,
  request: RoutedRequest,
): Promise<Authority> {
  const scope = scopeOf(request.params);
  const caller = await service.authenticator.authenticate(
    readCredentials(request.headers, trustOf(request.raw.socket, pipeline.certificates)),
    scope,
  );
  return { caller, acl: route.security === 'bearer' ? await service.authenticator.access(caller, scope) : noAccess };
}

function scopeOf({ organizationID, projectID }: Readonly<Record<string, string>>): Scope {
  return {
    ...defined({ organizationId: organizationID, projectId: projectID }),
  };
}

/** After the body is read: checks the request against its schemas, and calls the handler. */
export async function answer(
  pipeline: Pipeline,
  exchange: Exchange,
  compiled: CompiledRoute,
  request: RoutedRequest,
  reply: FastifyReply,
): Promise<unknown> {
  compiled.checkQuery(exchange.query);
  if (compiled.route.body !== undefined && request.body === undefined)
    throw new Problem('invalid_request', 'body: is required, with content type application/json');
  request.body = compiled.readBody(request.body);
  const view = requestView(pipeline, exchange, compiled, request, reply);
  const work = exchange.run(async () => {
    const endTurn = await takeTurn(pipeline, view.caller, request);
    try {
      view.assertTimely?.();
      const answer = await (compiled.route.idempotency ? runOnce(compiled.route, view) : compiled.route.handler(view));
      return isStreamedReply(answer) ? await beginStreamed(pipeline, exchange, compiled, answer) : answer;
    } finally {
      endTurn();
    }
  });
  const advice = adviceFor(compiled.route, view);
  const given = await requestsIn(pipeline.runtime.world)
    .answering(withDeadline(pipeline, exchange, work, advice))
    .catch((error: unknown) => {
      throw advised(error, advice);
    });
  if (given instanceof Begun) return sendStreamed(pipeline, exchange, compiled, given, reply);
  if (isStream(given)) return sendEvents(pipeline, exchange, given.events, reply);
  requireDeclared(pipeline, exchange, compiled, given);
  if (given.line && wantsUpgrade(request)) return sendLine(pipeline, exchange, compiled, given.line, request, reply);
  return sendReply(exchange, compiled, given, reply);
}

/** Our own services do not wait for a turn, because they make requests for many users. */
async function takeTurn(
  { turns }: Pipeline,
  { accountType, subject }: Caller,
  request: RoutedRequest,
): Promise<EndTurn> {
  if (accountType === 'system') return () => undefined;
  return turns.take(accountType === 'anonymous' ? `address ${request.ip}` : `caller ${subject}`);
}

function requestView(
  pipeline: Pipeline,
  exchange: Exchange,
  compiled: CompiledRoute,
  request: RoutedRequest,
  reply: FastifyReply,
): Request {
  return {
    method: request.method,
    url: request.originalUrl,
    params: exchange.params,
    query: exchange.query,
    body: request.body,
    headers: request.headers,
    caller: exchange.authority.caller,
    acl: exchange.authority.acl,
    traceId: exchange.traceId,
    runtime: pipeline.runtime,
    wantsEvents: request.method === 'GET' && Object.hasOwn(reply, 'sse'),
    get log() {
      return exchange.log;
    },
    get signal() {
      return exchange.signal;
    },
    violates: (violation) => {
      report(pipeline, exchange, compiled, violation);
    },
    assertTimely: () => {
      if (request.method !== 'GET' && pipeline.standstill?.(exchange.started_ms)) throw lateRequest();
    },
    reauthorize: () => exchange.run(() => authorize(pipeline, compiled, request)),
    newId: () => randomId(pipeline.runtime.world),
  };
}

/** Work that passes its deadline continues, but the request ends. */
function withDeadline<T>(
  { runtime, limits }: Pipeline,
  exchange: Exchange,
  work: Promise<T>,
  advice: string,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = runtime.world.after(limits.requestTimeout_ms, () => {
      exchange.abort();
      reject(tooLate(limits.requestTimeout_ms, advice));
    });
    work.then(resolve, reject).finally(cancel);
  });
}

export function requireDeclared(pipeline: Pipeline, exchange: Exchange, compiled: CompiledRoute, given: Reply): void {
  if (given.status === 304) return;
  const found = compiled.violation(given.status, given.body);
  if (found !== undefined) report(pipeline, exchange, compiled, found);
}

function report({ runtime, contract }: Pipeline, exchange: Exchange, { route }: CompiledRoute, found: string): void {
  httpMetrics(runtime.telemetry.registry).violations.inc({ operation: route.operationId });
  if (contract === 'enforced') throw new Error(`operation ${route.operationId}: ${found}`);
  exchange.log.error(
    { operation: route.operationId, violation: found },
    'a response does not match its declared schema',
  );
}

function sendReply(exchange: Exchange, { route }: CompiledRoute, given: Reply, reply: FastifyReply): FastifyReply {
  exchange.responseBody = given.body;
  reply.code(given.status).header('cache-control', route.cacheControl ?? 'no-cache');
  if (given.headers) reply.headers(given.headers);
  return given.body === undefined ? reply.send() : sendJson(reply, given.body);
}

/**
 * The next event is read only after the client has taken the last one, so a slow client costs one event of memory. The
 * connection is closed with the stream: a connection that is kept alive would delay a server that stops.
 */
async function sendEvents(
  { runtime, limits: { stall_ms } }: Pipeline,
  exchange: Exchange,
  events: AsyncIterable<ServerEvent>,
  reply: FastifyReply,
): Promise<void> {
  const { streams } = httpMetrics(runtime.telemetry.registry);
  exchange.passage?.hold('streams');
  const stalled = () => reply.raw.destroy();
  exchange.answered = true;
  streams.inc();
  reply.header('connection', 'close').sse.sendHeaders();
  reply.raw.flushHeaders();
  try {
    await pipe(
      Readable.from(unlessStalled(events, { world: runtime.world, stall_ms, stalled }), { highWaterMark: 1 }),
      reply.sse.stream(),
      reply.raw,
    );
  } catch (error) {
    // The response has started, so a failure can only be logged. A client that disconnected is not a failure.
    if (!isDisconnection(error)) exchange.log.error({ error }, 'a stream failed');
  } finally {
    streams.dec();
  }
}

function isDisconnection(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || error.code === 'ECONNRESET' || error.code === 'EPIPE')
  );
}
