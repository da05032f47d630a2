import { context, propagation, type Tracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type IdGenerator,
  type Sampler,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';

import type { World } from '../world/index.ts';

export type { IdGenerator, SpanProcessor };

export interface TracingOptions {
  /** 0 never, 1 and more always, else this share of the traces that start here. */
  readonly samplingRatio: number;
  /** Consumers of finished spans, such as `otlpProcessor`. */
  readonly processors?: readonly SpanProcessor[];
}

export interface Tracing {
  readonly tracer: Tracer;
  shutdown(): Promise<void>;
}

/** Trace ids exist whether or not a span is sampled: every error response has one. */
export function createTracing(service: string, version: string, world: World, options: TracingOptions): Tracing {
  registerGlobals();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
    sampler: samplerFor(options.samplingRatio),
    idGenerator: idsFrom(world),
    spanProcessors: [...(options.processors ?? [])],
  });
  return { tracer: provider.getTracer(service, version), shutdown: () => provider.shutdown() };
}

/** The API allows one of each per process and ignores a second, so telemetry can be created again. */
function registerGlobals(): void {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
}

export function samplerFor(ratio: number): Sampler {
  if (ratio <= 0) return new AlwaysOffSampler();
  if (ratio >= 1) return new AlwaysOnSampler();
  return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
}

/** Generating random bytes is expensive and every request needs some, so they are generated in blocks of this size. */
const stretch = 1536;

/** Trace and span ids in the W3C format, made from a world's randomness. Keep the generator if you need many. */
export function idsFrom(world: World): IdGenerator {
  let bytes = Buffer.alloc(0);
  const hex = (length: number): string => {
    if (bytes.length < length) bytes = Buffer.from(world.randomBytes(stretch));
    const id = bytes.subarray(0, length).toString('hex');
    bytes = bytes.subarray(length);
    // All zeros is invalid in this format.
    return /[^0]/.test(id) ? id : hex(length);
  };
  return { generateTraceId: () => hex(16), generateSpanId: () => hex(8) };
}
