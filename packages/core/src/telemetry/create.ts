import { collectDefaultMetrics, Registry } from 'prom-client';

import type { World } from '../world/index.ts';
import { buildInfo } from './build-info.ts';
import { createLogger, type LogOptions } from './logging.ts';
import type { Telemetry } from './telemetry.ts';
import { createTracing, type TracingOptions } from './tracing.ts';

export interface TelemetryOptions {
  readonly service: string;
  readonly version: string;
  readonly world: World;
  readonly log: LogOptions;
  readonly tracing: TracingOptions;
  /** Whether to measure the process itself: memory, event loop delay, garbage collection. */
  readonly processMetrics?: boolean;
}

export interface RunningTelemetry extends Telemetry {
  /** Sends all buffered data. */
  shutdown(): Promise<void>;
}

/**
 * Creates the telemetry of a process. The composition root calls it once.
 *
 * @example
 * const telemetry = createTelemetry({
 *   service: 'unikorn', version: '1.0.0', world: systemWorld,
 *   log: { level: 'info' }, tracing: { samplingRatio: 0 }, processMetrics: true,
 * });
 */
export function createTelemetry(options: TelemetryOptions): RunningTelemetry {
  const registry = new Registry();
  if (options.processMetrics) collectDefaultMetrics({ register: registry });
  buildInfo(registry).set({ version: options.version, node: process.versions.node }, 1);
  const log = createLogger(options.service, options.log);
  const tracing = createTracing(options.service, options.version, options.world, options.tracing);
  return {
    log,
    registry,
    tracer: tracing.tracer,
    async shutdown() {
      await tracing.shutdown();
      log.flush();
    },
  };
}
