import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import { expect, it } from 'vitest';

import { createTelemetry } from '@unikorn/core/telemetry';
import { capture, virtualWorld } from '@unikorn/core/testing';

import { Permit } from './kinds/index.ts';
import { startParking } from './parking.fixture.ts';

it('one trace leads from the request through saga and store to the controller', async () => {
  const exporter = new InMemorySpanExporter();
  const telemetry = createTelemetry({
    service: 'parking',
    version: '1',
    world: virtualWorld(),
    log: { level: 'info', destination: capture([]) },
    tracing: { samplingRatio: 1, processors: [new SimpleSpanProcessor({ exporter })] },
  });
  const parking = await startParking(telemetry);
  const { world, store, server, createLot } = parking;
  const lotId = await createLot(1);
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  await server.inject({
    method: 'POST',
    url: '/parking/api/v1/permits',
    headers: { authorization: 'Bearer acme', traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    payload: { metadata: { name: 'car' }, spec: { lotId, plate: 'UNI-1' } },
  });
  await world.until(async () =>
    (await store.list(Permit)).items.every(({ status }) => status?.admittedAt !== undefined),
  );
  const names = exporter
    .getFinishedSpans()
    .filter((span) => span.spanContext().traceId === traceId)
    .map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['POST /parking/api/v1/permits', 'store create']));
  expect(names.filter((name) => name.includes('saga'))).not.toEqual([]);
  expect(names.filter((name) => name.includes('reconcile'))).not.toEqual([]);
  await parking.stop();
});
