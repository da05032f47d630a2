import type { Registry } from 'prom-client';

/**
 * A set of metrics that exists once per registry, however many components report into it.
 *
 * @example
 * export const queueMetrics = perRegistry((registry) => ({
 *   depth: new Gauge({ name: 'unikorn_queue_depth', help: 'Keys waiting', labelNames: ['controller'], registers: [registry] }),
 * }));
 */
export function perRegistry<Metrics extends object>(create: (registry: Registry) => Metrics): (registry: Registry) => Metrics {
  const known = new WeakMap<Registry, Metrics>();
  return (registry) => {
    const existing = known.get(registry);
    if (existing) return existing;
    const created = create(registry);
    known.set(registry, created);
    return created;
  };
}
