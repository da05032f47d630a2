import { createServer } from 'node:http';

import { expect, it } from 'vitest';

import { capture } from '../testing/index.ts';
import { systemWorld } from '../world/index.ts';
import { createTelemetry } from './index.ts';
import { otlpProcessor } from './otlp.ts';

it('finished spans reach the collector, at the latest when telemetry is shut down', async () => {
  const received: string[] = [];
  const collector = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push(`${request.url} ${body}`);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const address = collector.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/v1/traces`;
  const telemetry = createTelemetry({
    service: 'things',
    version: '0',
    world: systemWorld,
    log: { level: 'info', destination: capture([]) },
    tracing: { samplingRatio: 1, processors: [otlpProcessor(url)] },
  });
  telemetry.tracer.startSpan('work').end();
  await telemetry.shutdown();
  collector.close();
  expect(received).toEqual([expect.stringMatching(/^\/v1\/traces .*"work"/)]);
});
