import { Writable } from 'node:stream';

import { trace } from '@opentelemetry/api';
import { pino } from 'pino';
import { Registry } from 'prom-client';

import type { Telemetry } from '../telemetry/index.ts';

/** Telemetry that counts but does not speak. */
export function silentTelemetry(): Telemetry {
  return { log: pino({ level: 'silent' }), registry: new Registry(), tracer: trace.getTracer('test') };
}

/** A destination for logs that keeps them for the test to look at. */
export function capture(lines: string[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
}
