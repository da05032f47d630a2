import type { Registry } from 'prom-client';

/**
 * All metric sets of the loaded modules. Metrics are created when they are first reported, but the reference page needs
 * all of them.
 */
const sets: ((registry: Registry) => object)[] = [];

/**
 * A set of metrics that exists once per registry, shared by all components that report it.
 *
 * @example
 * export const queueMetrics = perRegistry((registry) => ({
 *  depth: new Gauge({ name: 'unikorn_queue_depth', help: 'Keys waiting', labelNames: ['controller'], registers:
 * [registry] }), }));
 */
export function perRegistry<Metrics extends object>(
  create: (registry: Registry) => Metrics,
): (registry: Registry) => Metrics {
  const known = new WeakMap<Registry, Metrics>();
  const of = (registry: Registry): Metrics => {
    const existing = known.get(registry);
    if (existing) return existing;
    const created = create(registry);
    known.set(registry, created);
    return created;
  };
  sets.push(of);
  return of;
}

/** Creates all metrics that the loaded modules may report. */
export function createAllMetrics(registry: Registry): void {
  for (const of of sets) of(registry);
}
