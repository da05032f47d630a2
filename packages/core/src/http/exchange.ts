import {
  context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  trace,
  TraceFlags,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Level, Logger } from 'pino';

import { anonymous, noAccess } from '../access/index.ts';
import type { IdGenerator, Telemetry } from '../telemetry/index.ts';
import type { World } from '../world/index.ts';
import type { Problem } from '../errors/index.ts';
import type { CompiledRoute } from './compiled.ts';
import type { Authority } from './request.ts';
import type { Passage } from './traffic.ts';

const propagator = new W3CTraceContextPropagator();

interface Opening {
  readonly world: World;
  /** Generates ids for spans without a tracer. */
  readonly ids: IdGenerator;
  readonly telemetry: Telemetry;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly compiled: CompiledRoute | undefined;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
}

/** A request and its response in progress: the data that the steps of the pipeline pass to each other. */
export class Exchange {
  readonly compiled: CompiledRoute | undefined;
  readonly started_ms: number;
  readonly span: Span;
  readonly traceId: string;
  readonly spanName: string;
  params: Readonly<Record<string, string>> = {};
  query: Readonly<Record<string, unknown>> = {};
  authority: Authority = { caller: anonymous, acl: noAccess };
  /** The error, if there was one. It is logged once, at the end. */
  problem?: Problem;
  responseBody: unknown;
  /** The status is decided, even if the client has disconnected. */
  answered = false;
  /** The exchange has been logged, measured and audited. */
  over = false;
  readonly #opening: Opening;
  readonly #context: Context;
  /** The traffic counters of this request while it is in progress. */
  passage: Passage | undefined;
  #log: Logger | undefined;
  #controller: AbortController | undefined;
  #abandoned = false;

  constructor(opening: Opening) {
    const { world, ids, telemetry, request, compiled } = opening;
    this.#opening = opening;
    this.compiled = compiled;
    this.started_ms = world.monotonic_ms();
    this.spanName = `${request.method} ${routeName(request, compiled)}`;
    const parent = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter);
    this.span = identified(telemetry.tracer.startSpan(this.spanName, { kind: SpanKind.SERVER }, parent), ids);
    this.#context = trace.setSpan(parent, this.span);
    this.traceId = this.span.spanContext().traceId;
  }

  /** Creating a logger costs more than most requests, so callers check first whether the level is enabled. */
  speaksAt(level: Level): boolean {
    return this.#opening.telemetry.log.isLevelEnabled(level);
  }

  get log(): Logger {
    this.#log ??= this.#opening.telemetry.log.child({
      traceId: this.traceId,
      spanId: this.span.spanContext().spanId,
      spanName: this.spanName,
    });
    return this.#log;
  }

  /** Aborts when the client disconnects, the deadline passes, or the server stops. It is created with the first use. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      const controller = (this.#controller = new AbortController());
      const { reply, stopping } = this.#opening;
      const abort = () => {
        controller.abort();
        stopping.removeEventListener('abort', abort);
      };
      reply.raw.once('close', abort);
      stopping.addEventListener('abort', abort);
      if (reply.raw.destroyed || stopping.aborted) abort();
    }
    return this.#controller.signal;
  }

  abort(): void {
    this.#abandoned = true;
    this.#controller?.abort();
  }

  /** Whether the client still waits for the response. */
  get isAwaited(): boolean {
    return !this.#abandoned && !this.#opening.reply.raw.destroyed;
  }

  /** Runs work with the request's span active, so that spans of the store and of clients become its children. */
  run<T>(work: () => T): T {
    return context.with(this.#context, work);
  }
}

/** The template of the path. Pages and probes are not declared routes, so theirs is the pattern of the router. */
function routeName({ is404, routeOptions }: FastifyRequest, compiled: CompiledRoute | undefined): string {
  if (compiled) return `${compiled.service.base ?? ''}${compiled.route.path}`;
  return routeOptions.config.raw ?? (is404 ? undefined : routeOptions.url) ?? 'unmatched';
}

/** Without a tracer a span has no ids, but every response needs a trace id. */
function identified(span: Span, ids: IdGenerator): Span {
  if (trace.isSpanContextValid(span.spanContext())) return span;
  return trace.wrapSpanContext({
    traceId: ids.generateTraceId(),
    spanId: ids.generateSpanId(),
    traceFlags: TraceFlags.NONE,
  });
}

const exchanges = new WeakMap<FastifyRequest, Exchange>();

export function openExchange(opening: Opening): Exchange {
  const exchange = new Exchange(opening);
  exchanges.set(opening.request, exchange);
  return exchange;
}

export function exchangeOf(request: FastifyRequest): Exchange {
  const exchange = exchanges.get(request);
  if (!exchange) throw new Error('the request did not pass the opening hook');
  return exchange;
}
