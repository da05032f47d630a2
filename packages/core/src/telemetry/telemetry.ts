import type { Tracer } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';

/** What a component reports through: logs for what happened, metrics for how much, traces for what led to what. */
export interface Telemetry {
  readonly log: Logger;
  readonly registry: Registry;
  readonly tracer: Tracer;
}
