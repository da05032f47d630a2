import { createServer, type MetricsAccess, type ProbedService, type ServerOptions } from '@unikorn/core/http';

import type { Configuration } from '../configuration/schema.ts';
import type { Closing } from './control-plane.ts';
import { listening } from './reserve-port.ts';

type Settings = Pick<Configuration, 'metrics' | 'server'>;

/** Who may read the metrics, wherever they are served. */
function readers({ metrics }: Settings): MetricsAccess {
  return metrics.token === undefined ? 'anonymous' : { token: metrics.token };
}

/** Who may read the metrics at the port of the API. */
export function metricsOfApi(settings: Settings): MetricsAccess {
  return settings.metrics.port === undefined ? readers(settings) : 'elsewhere';
}

/** Serves metrics and health at a port of their own, if the configuration says so. */
export async function listenForOperators(
  settings: Settings,
  context: Pick<ServerOptions, 'store' | 'world' | 'telemetry'>,
  probed: readonly ProbedService[],
): Promise<readonly Closing[]> {
  const { port, host = settings.server.host } = settings.metrics;
  if (port === undefined) return [];
  const server = await createServer({ ...context, services: [], probed, metrics: readers(settings) });
  await listening(host, port, server.listen({ host, port }), {
    port: '--metrics-port or UNIKORN_METRICS_PORT',
    host: '--metrics-host or UNIKORN_METRICS_HOST',
  });
  return [server];
}
