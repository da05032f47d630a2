import { ROOT_CONTEXT, SpanStatusCode, trace, type Context, type Span, type Tracer } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';

import { annotations } from '../resource/index.ts';
import { observes, type Managed } from './reconcile.ts';
import type { Verdict } from './progress.ts';

/**
 * The first reconcile after a change belongs to the trace of the request that made it. Every later one starts its own
 * trace.
 */
function parentOf(object: Managed): Context {
  const carried = observes(object) ? undefined : object.metadata.annotations?.[annotations.traceparent];
  const parent = carried === undefined ? null : parseTraceParent(carried);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}

export function traceReconcile(
  tracer: Tracer,
  controller: string,
  object: Managed,
  run: () => Promise<Verdict>,
): Promise<Verdict> {
  const attributes = {
    'unikorn.controller': controller,
    'unikorn.resource.id': object.metadata.name,
    'unikorn.generation': object.metadata.generation,
  };
  return tracer.startActiveSpan('reconcile', { attributes }, parentOf(object), (span) => endWith(span, run));
}

async function endWith(span: Span, run: () => Promise<Verdict>): Promise<Verdict> {
  try {
    const verdict = await run();
    span.setAttribute('unikorn.outcome', verdict.outcome);
    if (verdict.outcome === 'errored') span.setStatus({ code: SpanStatusCode.ERROR });
    return verdict;
  } finally {
    span.end();
  }
}
