import type { Registry } from 'prom-client';

/**
 * Every set there is in what was loaded: metrics come to be when they are first reported, and a reference must not wait
 * for that.
 */
const sets: ((registry: Registry) => object)[] = [];

/**
 * A set of metrics that exists once per registry, however many components report into it.
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

/** Creates all metrics that what was loaded may report. */
export function createAllMetrics(registry: Registry): void {
  for (const of of sets) of(registry);
}
