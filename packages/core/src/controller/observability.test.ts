import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';

import { annotations, labels } from '../resource/index.ts';
import { Controller } from './controller.ts';
import { scripted, stage, Widget } from './controller.fixture.ts';
import { done, yieldFor } from './outcome.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

function observed(steps: Parameters<typeof scripted>[0], concurrency = 8) {
  const scene = stage();
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { base: null, timestamp: false },
    { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const exporter = new InMemorySpanExporter();
  const tracer = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }).getTracer('test');
  const telemetry = { ...scene.telemetry, log, tracer };
  const script = scripted(steps);
  const controller = new Controller(
    { name: 'widgets', kind: Widget, provisioner: script.provisioner, concurrency },
    { ...scene.context, telemetry },
  );
  return { ...scene, ...script, controller, lines, spans: () => exporter.getFinishedSpans() };
}

describe('the telemetry of a controller', () => {
  it('a transition is a log record of its stream, with the fields of the audit log', async () => {
    const { start, end, create, world, lines, controller } = observed({
      provision: () => yieldFor({ message: 'building' }),
    });
    await start(controller);
    await create('a', { labels: { [labels.organization]: 'o1', [labels.project]: 'p1' } });
    await world.advance(60_000);
    expect(lines.filter(({ msg }) => msg === 'provisioning')).toEqual([
      {
        level: 30,
        msg: 'provisioning',
        component: { name: 'test.unikorn-cloud.org', version: '' },
        resource: { type: 'Widget', id: 'a' },
        scope: { organization: 'o1', project: 'p1' },
        provisioning: { status: 'False', reason: 'Provisioning', message: 'building' },
        observedGeneration: 1,
      },
    ]);
    await end();
  });

  it('the first reconcile of a change belongs to the trace of its request, and a later one does not', async () => {
    const { start, end, create, edit, world, spans, controller } = observed({ provision: () => done() });
    await create('a', { pause: true });
    await start(controller);
    await edit('a', ({ metadata, spec }) => ({
      metadata: { ...metadata, annotations: { [annotations.traceparent]: `00-${traceId}-${spanId}-01` } },
      spec: { ...spec, pause: false },
    }));
    await world.settle();
    expect(spans().at(-1)).toMatchObject({
      name: 'reconcile',
      parentSpanContext: { traceId, spanId },
      attributes: { 'unikorn.outcome': 'done', 'unikorn.resource.id': 'a' },
    });
    await edit('a', ({ metadata }) => ({ metadata: { ...metadata, labels: { colour: 'red' } } }));
    await world.settle();
    expect(spans().at(-1)?.parentSpanContext).toBeUndefined();
    await end();
  });

  it('queue, causes, duration and outcome are counted, and one object can be described', async () => {
    const scene = observed(
      {
        provision: async () => {
          await scene.world.sleep(2_000);
          return done();
        },
      },
      1,
    );
    const { start, end, create, world, metric, controller } = scene;
    await start(controller);
    for (const name of ['a', 'b', 'c']) await create(name);
    await world.advance(1_000);
    expect(await metric('unikorn_controller_queue_depth', { controller: 'widgets', priority: 'change' })).toBe(2);
    expect(await metric('unikorn_controller_oldest_queued_seconds')).toBe(1);
    expect(await metric('unikorn_controller_running')).toBe(1);
    await world.advance(6_000);
    expect(await metric('unikorn_controller_wakeups_total', { cause: 'created' })).toBe(3);
    expect(await metric('unikorn_cache_objects', { kind: Widget.id })).toBe(3);
    const [metrics] = (await scene.telemetry.registry.getMetricsAsJSON()).filter(
      ({ name }) => name === 'unikorn_controller_reconcile_seconds',
    );
    expect(metrics?.values).toContainEqual(
      expect.objectContaining({
        metricName: 'unikorn_controller_reconcile_seconds_sum',
        labels: { controller: 'widgets', outcome: 'done' },
        value: 6,
      }),
    );
    await end();
  });
});
