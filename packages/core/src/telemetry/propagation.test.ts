import { expect, it } from 'vitest';

import { systemWorld } from '../world/index.ts';
import { capture } from '../testing/index.ts';
import { createTelemetry, traceHeaders } from './index.ts';

it('a call made within a span carries its trace, and one made outside carries none', async () => {
  const telemetry = createTelemetry({
    service: 'test',
    version: '0',
    world: systemWorld,
    log: { level: 'info', destination: capture([]) },
    tracing: { samplingRatio: 1 },
  });
  expect(traceHeaders()).toEqual({});
  telemetry.tracer.startActiveSpan('work', (span) => {
    expect(traceHeaders()).toEqual({ traceparent: `00-${span.spanContext().traceId}-${span.spanContext().spanId}-01` });
    span.end();
  });
  await telemetry.shutdown();
});
