import { Writable } from 'node:stream';

import { trace } from '@opentelemetry/api';
import { pino } from 'pino';
import { Registry } from 'prom-client';

import type { Telemetry } from '../telemetry/index.ts';

/** Telemetry that counts but writes no log. */
export function silentTelemetry(): Telemetry {
  return { log: pino({ level: 'silent' }), registry: new Registry(), tracer: trace.getTracer('test') };
}

/**
 * A log destination that collects the lines for a test.
 *
 * @example createTelemetry({ …, log: { level: 'info', destination: capture(lines) } });
 */
export function capture(lines: string[]): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
}
