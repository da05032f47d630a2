import { context, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { describe, expect, it } from 'vitest';

import { capture, virtualWorld } from '../testing/index.ts';
import { createTelemetry } from './index.ts';
import { samplerFor } from './tracing.ts';

function captured(samplingRatio = 0, pretty = false) {
  const lines: string[] = [];
  const exporter = new InMemorySpanExporter();
  const telemetry = createTelemetry({
    service: 'things',
    version: '1.2.3',
    world: virtualWorld(7),
    log: { level: 'debug', pretty, destination: capture(lines) },
    tracing: { samplingRatio, processors: [new SimpleSpanProcessor({ exporter })] },
  });
  return { telemetry, lines, exporter };
}

describe('logs', () => {
  it('are JSON lines with the name of the service', () => {
    const { telemetry, lines } = captured();
    telemetry.log.child({ controller: 'server' }).info({ count: 1 }, 'hello');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'info',
      service: 'things',
      controller: 'server',
      count: 1,
      message: 'hello',
    });
  });

  it.each([
    { authorization: 'hunter2' },
    { headers: { cookie: 'hunter2', 'set-cookie': 'hunter2', 'x-principal': 'hunter2', 'ssl-client-cert': 'hunter2' } },
    { request: { headers: { authorization: 'hunter2' } } },
    { status: { accessToken: 'hunter2' } },
    { password: 'hunter2' },
    { config: { client_secret: 'hunter2', privateKey: 'hunter2', token: 'hunter2' } },
    { body: { anything: 'hunter2' } },
    { payload: 'hunter2' },
  ])('do not hold secrets: %j', (fields) => {
    const { telemetry, lines } = captured();
    telemetry.log.info(fields, 'hello');
    expect(lines).toHaveLength(1);
    expect(lines[0]).not.toContain('hunter2');
  });

  it('are readable text on a terminal', () => {
    const { telemetry, lines } = captured(0, true);
    telemetry.log.info({ count: 1 }, 'hello');
    expect(lines.join('')).toMatch(/INFO.*hello/);
  });

  it('contain an error with its causes', () => {
    const { telemetry, lines } = captured();
    telemetry.log.error({ error: new Error('boom', { cause: new Error('the disk') }) }, 'failed');
    expect(lines[0]).toContain('the disk');
  });
});

describe('metrics', () => {
  it('name the version of the platform and of Node', async () => {
    expect(await captured().telemetry.registry.metrics()).toContain(
      `unikorn_build_info{version="1.2.3",node="${process.versions.node}"} 1`,
    );
  });
});

describe('traces', () => {
  it('have ids from the world, also when they are not sampled', () => {
    const ids = (ratio: number) => captured(ratio).telemetry.tracer.startSpan('a').spanContext();
    expect(ids(0).traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(ids(0).traceId).toBe(ids(1).traceId);
  });

  it('nest through asynchronous work', async () => {
    const { telemetry, exporter } = captured(1);
    const outer = telemetry.tracer.startSpan('outer');
    await context.with(trace.setSpan(context.active(), outer), async () => {
      await Promise.resolve();
      telemetry.tracer.startSpan('inner').end();
    });
    outer.end();
    const [inner] = exporter.getFinishedSpans();
    expect([inner?.name, inner?.parentSpanContext?.spanId]).toEqual(['inner', outer.spanContext().spanId]);
    await telemetry.shutdown();
  });

  it.each([
    [0, 'AlwaysOffSampler'],
    [1, 'AlwaysOnSampler'],
    [3, 'AlwaysOnSampler'],
  ])('are sampled by ratio %d with %s', (ratio, name) => {
    expect(samplerFor(ratio).toString()).toBe(name);
  });

  it('follow their parent between never and always', () => {
    expect(samplerFor(0.5).toString()).toContain('ParentBased');
  });
});
