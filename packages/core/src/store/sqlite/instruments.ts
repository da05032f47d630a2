import { context, defaultTextMapSetter, trace, TraceFlags, type Span } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';

import { isProblem } from '../../errors/index.ts';
import type { Kind } from '../../kinds/index.ts';
import { waits } from '../../limits.ts';
import { perRegistry, type Telemetry } from '../../telemetry/index.ts';
import type { World } from '../../world/index.ts';
import { reading } from './failure.ts';
import type { WriterPort } from './port.ts';
import type { Reader } from './reader.ts';

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
  batch: new Histogram({
    name: 'unikorn_store_batch_operations',
    help: 'Operations that shared a commit',
    buckets: [1, 4, 16, 64, 256, 1024],
    registers: [registry],
  }),
  commit: new Histogram({
    name: 'unikorn_store_commit_seconds',
    help: 'Time from submitting a batch until it is durable',
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
    registers: [registry],
  }),
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
  size: new Gauge({ name: 'unikorn_store_size_bytes', help: 'Size of the database', registers: [registry] }),
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

type Verb = 'count' | 'create' | 'update' | 'updateStatus' | 'delete' | 'list';

const propagator = new W3CTraceContextPropagator();

/** The metrics of the store. */
export class Instruments {
  readonly metrics: ReturnType<typeof storeMetrics>;
  readonly #tracer: Telemetry['tracer'];

  constructor(
    telemetry: Pick<Telemetry, 'registry' | 'tracer'> = { registry: new Registry(), tracer: trace.getTracer('store') },
  ) {
    this.metrics = storeMetrics(telemetry.registry);
    this.#tracer = telemetry.tracer;
  }

  /** Counts an operation and, if the current trace is recorded, adds a span to it. */
  async observe<T>(verb: Verb, kind: Kind, work: () => Promise<T>): Promise<T> {
    const { operations } = this.metrics;
    try {
      const result = await reading(() => (recording() ? this.#inSpan(verb, kind, work) : work()));
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

/** The same port, with every commit measured. */
export function observedPort(
  port: WriterPort,
  world: World,
  reader: Reader,
  { batch, commit, size }: Instruments['metrics'],
): WriterPort {
  let measured_ms = -Infinity;
  return {
    async commit(operations) {
      const start_ms = world.monotonic_ms();
      const versions = await port.commit(operations);
      commit.observe((world.monotonic_ms() - start_ms) / 1000);
      batch.observe(versions.length);
      if (start_ms - measured_ms >= waits.measuring_ms) {
        size.set(reader.size_bytes());
        measured_ms = start_ms;
      }
      return versions;
    },
    probe: () => port.probe(),
    close: () => port.close(),
  };
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
