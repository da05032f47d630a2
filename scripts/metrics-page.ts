import { Counter, Gauge, Histogram, Registry, Summary } from 'prom-client';

import { createAllMetrics } from '@unikorn/core/telemetry';

// Load every metric of the product, because only loaded modules declare their metrics.
import '@unikorn/core/store/sqlite';
import '../packages/unikorn/src/serve/control-plane.ts';

type Declared = ReturnType<Registry['getMetricsAsArray']>[number] & { readonly labelNames?: readonly string[] };

function typeOf(metric: object): string {
  if (metric instanceof Counter) return 'counter';
  if (metric instanceof Gauge) return 'gauge';
  if (metric instanceof Histogram) return 'histogram';
  if (metric instanceof Summary) return 'summary';
  throw new Error('a metric of an unknown type');
}

export function metricsPage(notice: string): string {
  const registry = new Registry();
  createAllMetrics(registry);
  const metrics: readonly Declared[] = registry.getMetricsAsArray().toSorted((a, b) => a.name.localeCompare(b.name));
  const rows = metrics.map(
    (metric) =>
      `| \`${metric.name}\` | ${typeOf(metric)} | ${(metric.labelNames ?? []).map((label) => `\`${label}\``).join(', ')} | ${metric.help} |`,
  );
  return [
    '# Metrics',
    '',
    `<!-- ${notice} -->`,
    '',
    '`/metrics` is served at the root and under the base URL of each service, in the Prometheus text format. In one process all of them return the same. [Monitoring](../guides/monitoring.md) shows how to use another port, or a token. A metric appears when there is a value to report.',
    'In addition, `prom-client` measures every process, as `process_*` and `nodejs_*`: memory, CPU, event loop delay, garbage collection.',
    '',
    '| Metric | Type | Labels | What it is |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
