import type { Tracer } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';

/** The telemetry of a component: logs, metrics and traces. */
export interface Telemetry {
  readonly log: Logger;
  readonly registry: Registry;
  readonly tracer: Tracer;
}
