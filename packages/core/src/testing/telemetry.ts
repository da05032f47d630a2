import { trace } from '@opentelemetry/api';
import { pino } from 'pino';
import { Registry } from 'prom-client';

import type { Telemetry } from '../telemetry/index.ts';

/** Telemetry that counts but does not speak. */
export function silentTelemetry(): Telemetry {
  return { log: pino({ level: 'silent' }), registry: new Registry(), tracer: trace.getTracer('test') };
}
