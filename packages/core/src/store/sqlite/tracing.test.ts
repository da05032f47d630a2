import { context, trace, TraceFlags } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { annotations } from '../../resource/index.ts';
import { silentTelemetry, virtualWorld } from '../../testing/index.ts';
import { Widget, widget } from '../conformance/kinds.ts';
import { openMemoryStore } from './memory.ts';

const exporter = new InMemorySpanExporter();
const tracer = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }).getTracer('test');

describe('a trace', () => {
  beforeAll(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  });
  afterAll(() => {
    context.disable();
  });

  const openStore = () =>
    openMemoryStore({ world: virtualWorld(), kinds: [Widget], telemetry: { ...silentTelemetry(), tracer } });

  it('that is recorded is stored with the object whose spec it changed', async () => {
    const store = openStore();
    const plain = await store.create(Widget, widget('plain'));
    expect(plain.metadata.annotations?.[annotations.traceparent]).toBeUndefined();
    await tracer.startActiveSpan('request', async (span) => {
      const created = await store.create(Widget, widget('traced', { annotations: { kept: 'yes' } }));
      expect(created.metadata.annotations).toMatchObject({
        kept: 'yes',
        [annotations.traceparent]: expect.stringContaining(span.spanContext().traceId) as unknown,
      });
      const resized = await store.update(Widget, { ...plain, spec: { size: 2 } });
      expect(resized.metadata.annotations?.[annotations.traceparent]).toContain(span.spanContext().traceId);
      span.end();
    });
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['store create', 'store update', 'request']);
    await store.close();
  });

  it('is not stored with an object whose spec it did not change', async () => {
    const store = openStore();
    const created = await store.create(Widget, widget('a'));
    await tracer.startActiveSpan('request', async (span) => {
      expect(await store.update(Widget, created)).toEqual(created);
      const labelled = await store.update(Widget, {
        ...created,
        metadata: { ...created.metadata, labels: { x: 'y' } },
      });
      expect(labelled.metadata.annotations).toBeUndefined();
      span.end();
    });
    await store.close();
  });

  it('that is not recorded is not stored', async () => {
    const store = openStore();
    const unsampled = trace.wrapSpanContext({
      traceId: '1'.repeat(32),
      spanId: '2'.repeat(16),
      traceFlags: TraceFlags.NONE,
    });
    const created = await context.with(trace.setSpan(context.active(), unsampled), () =>
      store.create(Widget, widget('a')),
    );
    expect(created.metadata.annotations).toBeUndefined();
    await store.close();
  });
});
