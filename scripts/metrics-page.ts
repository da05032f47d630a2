import { Counter, Gauge, Histogram, Registry, Summary } from 'prom-client';

import { createAllMetrics } from '@unikorn/core/telemetry';

// Bring in every metric of the product: what is not loaded is not declared.
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
    'Every service answers `/metrics` under its base URL in the Prometheus text format; in one process the three answer the same. A metric appears once there is something to report.',
    'Besides these there is what `prom-client` measures of every process, as `process_*` and `nodejs_*`: memory, CPU, delay of the event loop, garbage collection.',
    '',
    '| Metric | Type | Labels | What it is |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
