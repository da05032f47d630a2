import { toError } from '../errors/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import { controllerMetrics } from './metrics.ts';

/** Runs a callback whose failure must not affect the caller. Errors are logged and counted. */
export function contain<T>(telemetry: Telemetry, component: string, callback: string, run: () => T): T | undefined {
  try {
    return run();
  } catch (thrown) {
    reportContained(telemetry, component, callback, thrown);
    return undefined;
  }
}

export function reportContained(telemetry: Telemetry, component: string, callback: string, thrown: unknown): void {
  controllerMetrics(telemetry.registry).contained.inc({ component, callback });
  telemetry.log.error({ err: toError(thrown), component, callback }, 'a callback failed that must not fail');
}
