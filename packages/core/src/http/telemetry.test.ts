import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';

import { createTelemetry } from '../telemetry/index.ts';
import { capture, virtualWorld } from '../testing/index.ts';
import { route } from './index.ts';
import { openBench, thingId, thingRoutes } from './things.fixture.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

const broken = route({
  method: 'POST',
  path: '/broken',
  operationId: 'break',
  summary: 'Break',
  tags: ['Test'],
  security: 'bearer',
  body: Type.Object({}),
  responses: { 202: null },
  handler: () => Promise.reject(new Error('the real cause')),
});

function watched() {
  const lines: string[] = [];
  const exporter = new InMemorySpanExporter();
  const telemetry = createTelemetry({
    service: 'things',
    version: '1',
    world: virtualWorld(),
    log: { level: 'debug', destination: capture(lines) },
    tracing: { samplingRatio: 1, processors: [new SimpleSpanProcessor({ exporter })] },
  });
  const inner = route({
    method: 'GET',
    path: '/inner/{id}',
    operationId: 'inner',
    summary: 'Inner',
    tags: ['Test'],
    security: 'bearer',
    params: Type.Object({ id: Type.String() }),
    responses: { 202: null },
    handler: async () => {
      await Promise.resolve();
      telemetry.tracer.startSpan('inside').end();
      return { status: 202 };
    },
  });
  return { telemetry, lines, exporter, routes: [...thingRoutes, broken, inner] };
}

describe('the telemetry of a request', () => {
  it('is a span by method and template, in the trace of the caller, with the work of the handler below it', async () => {
    const { telemetry, exporter, routes } = watched();
    await using bench = await openBench({ telemetry, routes });
    await bench.call('GET', '/inner/5', { headers: { traceparent } });
    const [inside, request] = exporter.getFinishedSpans();
    expect([request?.name, request?.spanContext().traceId, request?.parentSpanContext?.spanId]).toEqual([
      'GET /inner/{id}',
      traceId,
      '00f067aa0ba902b7',
    ]);
    expect(inside?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
  });

  it('never includes secrets of the caller', async () => {
    const { telemetry, lines, routes } = watched();
    await using bench = await openBench({ telemetry, routes });
    const headers = {
      cookie: 'hunter2',
      'x-principal': 'hunter2',
      'ssl-client-cert': 'hunter2',
      'idempotency-key': 'hunter2',
    };
    bench.authenticator.grants.set('hunter2', { acl: {} });
    await bench.call('POST', '/api/v2/things?token=hunter2', { as: 'forged-hunter2', headers, body: {} });
    await bench.call('POST', '/api/v2/things?token=hunter2', {
      headers,
      body: { metadata: { name: 'a' }, spec: { colour: 'red', password: 'hunter2' } },
    });
    await bench.call('POST', '/broken', { headers, body: { password: 'hunter2' } });
    await bench.call('GET', `/api/v2/things/${thingId(5)}?x=hunter2`, { headers });
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.join('')).not.toContain('hunter2');
  });

  it('an unexpected error is logged once, with its cause and the trace id that the client got', async () => {
    const { telemetry, lines, routes } = watched();
    await using bench = await openBench({ telemetry, routes });
    const response = await bench.call('POST', '/broken', { body: {}, headers: { traceparent } });
    expect(response.json()).toMatchObject({ trace_id: traceId });
    const telling = lines.filter((line) => line.includes('the real cause'));
    expect(telling).toHaveLength(1);
    expect(JSON.parse(telling[0] ?? '')).toMatchObject({
      level: 'error',
      traceId,
      status: 500,
      spanName: 'POST /broken',
    });
  });

  it('refusals are logged with the message to the client, successes only at level debug', async () => {
    const { telemetry, lines, routes } = watched();
    await using bench = await openBench({ telemetry, routes });
    await bench.call('GET', '/api/v2/things?limit=0');
    await bench.call('GET', '/api/v2/things');
    const [refused, served] = lines.map(
      (line) => JSON.parse(line) as { level: string; message: string; description?: string },
    );
    expect([refused?.level, refused?.message, refused?.description]).toEqual([
      'info',
      'request refused',
      'query.limit: must be >= 1',
    ]);
    expect([served?.level, served?.message]).toEqual(['debug', 'request']);
  });

  it('is measured by the path of a page or probe, and not by the path of an unknown address', async () => {
    const { telemetry, routes } = watched();
    await using bench = await openBench({ telemetry, routes });
    for (const path of ['/healthz', '/docs/', '/openapi.json', '/does/not/exist']) await bench.call('GET', path);
    const measured = await telemetry.registry.getSingleMetric('unikorn_http_request_duration_seconds')?.get();
    const named = new Set(measured?.values.map(({ labels }) => labels['route']));
    expect([...named]).toEqual(expect.arrayContaining(['/healthz', '/openapi.json', 'unmatched']));
    expect([...named].filter((name) => String(name).includes('exist'))).toEqual([]);
    expect([...named].some((name) => String(name).startsWith('/docs'))).toBe(true);
  });

  it('every change writes an audit line', async () => {
    const { telemetry, lines, routes } = watched();
    await using bench = await openBench({ telemetry, routes });
    await bench.makeThing(thingId(1));
    await bench.call('DELETE', `/api/v2/things/${thingId(1)}`);
    const audit = lines
      .map((line) => JSON.parse(line) as { message: string })
      .filter(({ message }) => message === 'audit');
    expect(audit).toMatchObject([
      {
        component: { name: 'things' },
        operation: { verb: 'DELETE' },
        resource: { type: 'things', id: thingId(1) },
        result: { status: 202 },
      },
    ]);
  });
});
