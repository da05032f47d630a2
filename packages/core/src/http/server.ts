import { fastifySSE } from '@fastify/sse';
import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import plugin from 'fastify-plugin';

import type { CertificateTrust } from '../access/index.ts';
import { isProblem, Problem, toError } from '../errors/index.ts';
import { type TrafficLimits, internalLimits, limits as platformLimits, unlimitedTraffic, waits } from '../limits.ts';
import type { Store } from '../store/index.ts';
import { idsFrom, type IdGenerator, type Telemetry } from '../telemetry/index.ts';
import { Turns } from '../turns.ts';
import type { World } from '../world/index.ts';
import { addBodyParser } from './body.ts';
import type { ReadinessChecks, Service } from './compiled.ts';
import { corsHeaders, defaultCors, type CorsOptions } from './cors.ts';
import { addDocuments } from './documents.ts';
import { exchangeOf, openExchange, type Exchange } from './exchange.ts';
import { cutOff, failureOf, problemOf } from './failure.ts';
import { finish, type AuditListener } from './finish.ts';
import { addHome } from './home.ts';
import { sweepIdempotencyRecords } from './idempotency.ts';
import { sendJson } from './json.ts';
import { defaultHttpLimits, type HttpLimits } from './limits.ts';
import { httpMetrics } from './metrics.ts';
import { mountRoutes } from './mount.ts';
import { protectedResourceUrl } from './origin.ts';
import type { Pipeline } from './pipeline.ts';
import type { Pressure } from './pressure.ts';
import { isRefusal } from './refusal.ts';
import { proxyTrust, type ProxyTrust } from './proxies.ts';
import type { Runtime } from './request.ts';
import { ServedPaths } from './served-paths.ts';
import { addProbes, standardRoutes, type MetricsAccess } from './standard.ts';
import type { Standstill } from './standstill.ts';
import { Traffic } from './traffic.ts';
import { answerUnreadable, refuseTunnel } from './unreadable.ts';
import { acceptUpgrades, isUpgrade } from './upgrade.ts';

/** A service whose API runs in another process. */
export type ProbedService = Pick<Service, 'base' | 'checks'>;

export interface ServerOptions {
  readonly services: readonly Service[];
  /** Services of which only the health and metrics endpoints are served, because their API runs in other processes. */
  readonly probed?: readonly ProbedService[];
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  readonly cors?: CorsOptions;
  /** `none`, unless a TLS terminator in front removes the certificate headers of outside requests. */
  readonly certificates?: CertificateTrust;
  /** Addresses or CIDR blocks of reverse proxies. `X-Forwarded-For` is only trusted from these. */
  readonly trustedProxies?: readonly string[];
  readonly limits?: Partial<HttpLimits>;
  /** Limits of concurrent requests and request rates. Without it, no request is refused. */
  readonly traffic?: Partial<TrafficLimits>;
  /** Returns the reason why no more work can be accepted at the moment. */
  readonly pressure?: Pressure;
  /** Notices that the process stood still. Changes that waited in that time are refused. */
  readonly standstill?: Standstill;
  /** Handling of a response that does not match its schema: `reported` in production, `enforced` in tests. */
  readonly contract?: Pipeline['contract'];
  /** Called for every request that may have changed something. */
  readonly onAudit?: AuditListener;
  /** Who may read the metrics; everybody by default. */
  readonly metrics?: MetricsAccess;
  /** The page that a browser sees first; the reference page of the first service by default. */
  readonly home?: string;
}

/**
 * Creates a server for several services behind one port. Each has its own description, probes and documentation under
 * its base path. The caller starts to listen.
 *
 * @example
 * const server = await createServer({ services: [{ ...region, base: '/region' }, { ...compute, base: '/compute' }], store, world, telemetry });
 * await server.listen({ port: 6080 });
 */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { world, telemetry, store, cors = defaultCors } = options;
  const limits = { ...defaultHttpLimits, ...options.limits };
  const runtime: Runtime = { store, world, telemetry, instance: world.uuid() };
  const traffic = new Traffic(world, { ...unlimitedTraffic, ...options.traffic });
  const turns = new Turns(world, options.traffic ? platformLimits.requestsAtWork : Infinity, platformLimits.atWork_ms);
  const pipeline: Pipeline = {
    runtime,
    limits,
    traffic,
    turns,
    certificates: options.certificates ?? 'none',
    origins: cors.allowOrigins,
    contract: options.contract ?? 'reported',
    standstill: options.standstill,
  };
  const surroundings = { registry: telemetry.registry, metrics: options.metrics ?? 'anonymous', world, store } as const;
  const stopping = new AbortController();
  const ids = idsFrom(world);
  const paths = new ServedPaths();
  const app = listener({
    limits,
    ids,
    paths,
    trustProxy: proxyTrust(pipeline.certificates, options.trustedProxies ?? []),
  });

  addBodyParser(app);
  app.addHook('onRoute', ({ url, method }) => {
    paths.add(url, [method].flat());
  });
  addExchangeHooks(app, {
    runtime,
    ids,
    cors,
    paths,
    traffic,
    pressure: options.pressure,
    stopping: stopping.signal,
    stall_ms: limits.stall_ms,
    onAudit: options.onAudit,
  });
  addFailureHandler(app, runtime);
  // Only used by routes that find nothing, such as the one for files. Requests without a route are refused earlier.
  app.setNotFoundHandler(() => {
    throw new Problem('not_found', 'this path does not exist');
  });
  addShutdown(app, stopping, limits, world);
  acceptUpgrades(app, app.server);
  await app.register(plugin(fastifySSE), { heartbeatInterval: 0 });
  for (const declared of options.services) {
    const service = { ...declared, routes: [...standardRoutes(declared), ...declared.routes] };
    await app.register(
      async (scope) => {
        addFailureHandler(scope, runtime, service);
        addHome(scope, `${service.base ?? ''}/docs`);
        await addDocuments(scope, service);
        addProbes(scope, service, surroundings);
        mountRoutes(scope, service, pipeline, { cors, paths });
      },
      { prefix: service.base ?? '' },
    );
  }
  for (const service of options.probed ?? [])
    await app.register(
      (scope, _options, done) => {
        addProbes(scope, service, surroundings);
        done();
      },
      { prefix: service.base ?? '' },
    );
  const [first] = options.services;
  const served = [...options.services, ...(options.probed ?? [])];
  // The root belongs to no service. Load balancers and monitoring look there first.
  if (served.every(({ base }) => base !== undefined)) addProbes(app, { checks: allChecks(served) }, surroundings);
  if (first && options.services.every(({ base }) => base !== undefined))
    addHome(app, options.home ?? `${first.base ?? ''}/docs`);
  if (options.services.some(({ routes }) => routes.some(({ idempotency }) => idempotency === 'replay')))
    void sweepRegularly(runtime, stopping.signal);
  return app;
}

/** The checks of several services, each under the name of its service. */
function allChecks(services: readonly ProbedService[]): ReadinessChecks {
  return Object.fromEntries(
    services.flatMap(({ base = '', checks = {} }) =>
      Object.entries(checks).map(([name, check]) => [`${base.slice(1)}/${name}`, check] as const),
    ),
  );
}

interface Listening {
  readonly limits: HttpLimits;
  readonly ids: IdGenerator;
  readonly paths: ServedPaths;
  readonly trustProxy: ProxyTrust;
}

function listener({ limits, ids, paths, trustProxy }: Listening): FastifyInstance {
  const app = fastify({
    logger: false,
    trustProxy,
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.receiveTimeout_ms,
    http: {
      headersTimeout: limits.headersTimeout_ms,
      shouldUpgradeCallback: isUpgrade,
      connectionsCheckingInterval: Math.min(1_000, limits.headersTimeout_ms),
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: internalLimits.pathVariableLength },
    frameworkErrors: (error, request, reply) => {
      const {
        status,
        headers,
        body: failure,
      } = failureOf(problemOf(error), ids.generateTraceId(), protectedResourceUrl(request.headers));
      reply.hijack();
      const body = JSON.stringify(failure);
      reply.raw
        .writeHead(status, {
          ...headers,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        })
        .end(body);
    },
    clientErrorHandler: (error, socket) => {
      answerUnreadable(error, socket, ids.generateTraceId(), paths);
    },
  });
  app.server.on('connect', (_request, socket) => {
    refuseTunnel(socket, ids.generateTraceId());
  });
  return app;
}

interface ExchangeHooks {
  readonly runtime: Runtime;
  readonly ids: IdGenerator;
  readonly cors: CorsOptions;
  readonly paths: ServedPaths;
  readonly traffic: Traffic;
  readonly pressure: Pressure | undefined;
  readonly stopping: AbortSignal;
  readonly stall_ms: number;
  readonly onAudit: AuditListener | undefined;
}

function addExchangeHooks(
  app: FastifyInstance,
  { runtime, ids, cors, paths, traffic, pressure, stopping, stall_ms, onAudit }: ExchangeHooks,
): void {
  const { inFlight } = httpMetrics(runtime.telemetry.registry);
  app.addHook('onRequest', (request, reply, done) => {
    const exchange = openExchange({
      world: runtime.world,
      ids,
      telemetry: runtime.telemetry,
      request,
      reply,
      compiled: request.routeOptions.config.compiled,
      stopping,
    });
    inFlight.inc();
    reply.raw.once('close', () => {
      // The headers of a stream were sent before the stop, so they could not announce that the connection closes.
      if (stopping.aborted) request.raw.socket.end();
      if (exchange.answered) finish(runtime, exchange, request, reply, onAudit);
      // A raw handler may write its response itself, so only this event shows that its client disconnected.
      else if (exchange.compiled === undefined) exchange.passage?.leave();
    });
    reply.headers(corsHeaders(cors, request.headers.origin));
    const refused = admission({ traffic, pressure }, exchange, request);
    if (refused) {
      const refuse = () => {
        done(refused);
      };
      if (isProblem(refused, 'too_many_requests')) traffic.refuseLater(refuse);
      else refuse();
      return;
    }
    if (!request.is404) {
      done();
      return;
    }
    // Before Fastify looks at the body, because it treats bodies of some methods in its own way.
    const { problem, headers } = paths.refusal(request.originalUrl);
    reply.headers(headers);
    done(problem);
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const exchange = exchangeOf(request);
    if (isLarge(payload)) cutUnlessTaken(runtime.world, stall_ms, reply);
    exchange.answered = true;
    if (stopping.aborted) reply.header('connection', 'close');
    // If the client disconnected before the response was ready, the change was still made and must be recorded.
    if (reply.raw.destroyed) finish(runtime, exchange, request, reply, onAudit);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    finish(runtime, exchangeOf(request), request, reply, onAudit);
    done();
  });
}

/**
 * Runs before all other checks. Requests with credentials are counted when the caller is known; all others are counted
 * by address.
 */
function admission(
  { traffic, pressure }: Pick<ExchangeHooks, 'traffic' | 'pressure'>,
  exchange: Exchange,
  request: FastifyRequest,
): Error | undefined {
  if (request.routeOptions.config.probe === true) return undefined;
  try {
    const reason = pressure?.();
    if (reason !== undefined) throw new Problem('overloaded', `${reason}; try again in a moment`);
    const known = exchange.compiled !== undefined && exchange.compiled.route.security !== 'anonymous';
    if (known) traffic.refuseAgain(request.headers.authorization);
    else exchange.passage = traffic.enter({ type: 'address', address: request.ip });
    return undefined;
  } catch (error) {
    return toError(error);
  }
}

/** Larger than the send buffer of a connection. */
function isLarge(payload: unknown): boolean {
  return (typeof payload === 'string' || payload instanceof Uint8Array) && payload.length > platformLimits.chunkBytes;
}

/** A response that is sent whole stays in memory until the client has read it. */
function cutUnlessTaken(world: World, stall_ms: number, reply: FastifyReply): void {
  const cancel = world.after(stall_ms, () => {
    reply.raw.destroy();
  });
  reply.raw.once('close', cancel);
}

function addFailureHandler(scope: FastifyInstance, runtime: Runtime, service?: Service): void {
  scope.setErrorHandler((thrown, request, reply) => {
    const exchange = exchangeOf(request);
    const problem = (exchange.problem = thrown === request.raw.errored ? cutOff(thrown) : problemOf(thrown));
    if (isRefusal(problem)) httpMetrics(runtime.telemetry.registry).refused.inc({ reason: problem.code });
    const { status, headers, body } = failureOf(
      problem,
      exchange.traceId,
      protectedResourceUrl(request.headers, service),
    );
    return sendJson(reply.code(status).headers(headers), body);
  });
}

/** Streams end at once. Responses in progress get some time, and then the rest is cut. */
function addShutdown(app: FastifyInstance, stopping: AbortController, limits: HttpLimits, world: World): void {
  let cancel = () => {};
  app.addHook('preClose', (done) => {
    stopping.abort();
    cancel = world.after(limits.drain_ms, () => {
      app.server.closeAllConnections();
    });
    done();
  });
  app.addHook('onClose', (_instance, done) => {
    cancel();
    done();
  });
}

async function sweepRegularly({ store, world, telemetry }: Runtime, stopping: AbortSignal): Promise<void> {
  for (;;) {
    await world.sleep(waits.idempotencySweep_ms, stopping);
    if (stopping.aborted) return;
    await sweepIdempotencyRecords(store, world).catch((error: unknown) => {
      telemetry.log.error({ error }, 'old idempotency records could not be deleted');
    });
  }
}
