export { createTelemetry, type RunningTelemetry, type TelemetryOptions } from './create.ts';
export type { LogOptions } from './logging.ts';
export { createAllMetrics, perRegistry } from './metrics.ts';
export { traceHeaders } from './propagation.ts';
export type { Telemetry } from './telemetry.ts';
export { idsFrom, type IdGenerator, type SpanProcessor, type TracingOptions } from './tracing.ts';
