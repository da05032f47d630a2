import { context, defaultTextMapSetter, trace, TraceFlags, type Span } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { Counter, Gauge, Registry } from 'prom-client';

import { isProblem } from '../errors/index.ts';
import type { Kind } from '../kinds/index.ts';
import { perRegistry, type Telemetry } from '../telemetry/index.ts';

/** Operations are counted here and shown when metrics are read: to count in prom-client takes as long as a read. */
class OperationCounts {
  readonly #counts = new Map<string, Map<string, number>>();

  inc(kind: Kind, verb: Verb, outcome: string): void {
    let counts = this.#counts.get(kind.id);
    if (!counts) this.#counts.set(kind.id, (counts = new Map<string, number>()));
    const key = `${verb} ${outcome}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  show(counter: Counter<'kind' | 'verb' | 'outcome'>): void {
    counter.reset();
    for (const [kind, counts] of this.#counts)
      for (const [key, count] of counts) {
        const [verb = '', outcome = ''] = key.split(' ');
        counter.inc({ kind, verb, outcome }, count);
      }
  }
}

const storeMetrics = perRegistry((registry) => ({
  operations: countsIn(registry),
  watchers: new Gauge({
    name: 'unikorn_store_watchers',
    help: 'Open watches',
    labelNames: ['kind'],
    registers: [registry],
  }),
  lag: new Gauge({
    name: 'unikorn_store_watch_lag_changes',
    help: 'Lag of the slowest watch at the last measurement',
    registers: [registry],
  }),
  expired: new Counter({
    name: 'unikorn_store_watches_expired_total',
    help: 'Watches that ended because they were too far behind',
    labelNames: ['kind'],
    registers: [registry],
  }),
}));

function countsIn(registry: Registry): OperationCounts {
  const counts = new OperationCounts();
  new Counter({
    name: 'unikorn_store_operations_total',
    help: 'Operations by kind, verb and outcome',
    labelNames: ['kind', 'verb', 'outcome'],
    registers: [registry],
    collect() {
      counts.show(this);
    },
  });
  return counts;
}

export type Verb = 'count' | 'create' | 'update' | 'updateStatus' | 'delete' | 'list';

const propagator = new W3CTraceContextPropagator();

/** The metrics and traces that every engine has. */
export class Instruments {
  readonly metrics: ReturnType<typeof storeMetrics>;
  readonly registry: Registry;
  readonly #tracer: Telemetry['tracer'];

  constructor(
    telemetry: Pick<Telemetry, 'registry' | 'tracer'> = { registry: new Registry(), tracer: trace.getTracer('store') },
  ) {
    this.registry = telemetry.registry;
    this.metrics = storeMetrics(telemetry.registry);
    this.#tracer = telemetry.tracer;
  }

  /** Counts an operation and, if the current trace is recorded, adds a span to it. */
  async observe<T>(verb: Verb, kind: Kind, work: () => Promise<T>): Promise<T> {
    const { operations } = this.metrics;
    try {
      const result = await (recording() ? this.#inSpan(verb, kind, work) : work());
      operations.inc(kind, verb, 'ok');
      return result;
    } catch (error) {
      operations.inc(kind, verb, isProblem(error) ? error.code : 'error');
      throw error;
    }
  }

  #inSpan<T>(verb: Verb, kind: Kind, work: () => Promise<T>): Promise<T> {
    return this.#tracer.startActiveSpan(`store ${verb}`, { attributes: { 'unikorn.kind': kind.id } }, async (span) => {
      try {
        return await work();
      } finally {
        span.end();
      }
    });
  }
}

function recording(): Span | undefined {
  const span = trace.getActiveSpan();
  return span?.isRecording() ? span : undefined;
}

/** The trace of the current request, so that a controller can continue it; undefined if it is not recorded. */
export function activeTraceparent(): string | undefined {
  const span = recording();
  if (!span || (span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return undefined;
  const carrier: Record<string, string> = {};
  propagator.inject(context.active(), carrier, defaultTextMapSetter);
  return carrier['traceparent'];
}
