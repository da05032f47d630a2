import type { Tracer } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';

/** What a component reports through: logs for what happened, metrics for how much, traces for what led to what. */
export interface Telemetry {
  readonly log: Logger;
  readonly registry: Registry;
  readonly tracer: Tracer;
}

/** The same telemetry with more said in every log line. */
export function withLogFields<T extends Telemetry>(telemetry: T, fields: Readonly<Record<string, string>>): T {
  return { ...telemetry, log: telemetry.log.child(fields) };
}
