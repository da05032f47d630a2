import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

import { perRegistry } from '../telemetry/index.ts';
import { priorities, type WorkQueue } from './queue.ts';

/** The source of the gauges. They are computed when metrics are scraped. */
interface Observed {
  readonly queue: WorkQueue;
  readonly retrying: () => number;
  readonly parked: () => number;
}

export const controllerMetrics = perRegistry((registry) => {
  const running = new Map<string, Observed>();
  const registers = [registry];
  const gauge = (name: string, help: string, read: (observed: Observed) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['controller'],
      registers,
      collect() {
        this.reset();
        for (const [controller, observed] of running) this.set({ controller }, read(observed));
      },
    });
  gauge('unikorn_controller_delayed', 'Objects that wait for a later time', ({ queue }) => queue.delayed);
  gauge('unikorn_controller_running', 'Reconciles in progress', ({ queue }) => queue.running.length);
  gauge(
    'unikorn_controller_oldest_queued_seconds',
    'Waiting time of the object that has waited longest in the queue',
    ({ queue }) => queue.oldest_ms / 1000,
  );
  gauge(
    'unikorn_controller_retrying',
    'Objects whose last attempt failed and that are retried automatically',
    ({ retrying }) => retrying(),
  );
  gauge('unikorn_controller_parked', 'Objects that are not retried until they are changed', ({ parked }) => parked());
  new Gauge({
    name: 'unikorn_controller_queue_depth',
    help: 'Objects in the queue',
    labelNames: ['controller', 'priority'],
    registers,
    collect() {
      this.reset();
      for (const [controller, { queue }] of running)
        for (const priority of priorities) this.set({ controller, priority }, queue.depth(priority));
    },
  });
  return {
    running,
    wakeups: new Counter({
      name: 'unikorn_controller_wakeups_total',
      help: 'Reasons for reconciles',
      labelNames: ['controller', 'cause'],
      registers,
    }),
    reconciles: new Histogram({
      name: 'unikorn_controller_reconcile_seconds',
      help: 'Duration of reconciles, by outcome',
      labelNames: ['controller', 'outcome'],
      buckets: [0.0001, 0.001, 0.01, 0.1, 1, 10, 60],
      registers,
    }),
    contained: new Counter({
      name: 'unikorn_controller_contained_errors_total',
      help: 'Errors of callbacks that must not fail, caught and logged',
      labelNames: ['component', 'callback'],
      registers,
    }),
    cascaded: new Counter({
      name: 'unikorn_cascade_deletes_total',
      help: 'Objects deleted because their owner is being deleted',
      labelNames: ['controller', 'kind'],
      registers,
    }),
  };
});

export const cacheMetrics = perRegistry((registry) => {
  const sizes = new Map<string, () => number>();
  const registers = [registry];
  new Gauge({
    name: 'unikorn_cache_objects',
    help: 'Objects held in memory',
    labelNames: ['kind'],
    registers,
    collect() {
      for (const [kind, size] of sizes) this.set({ kind }, size());
    },
  });
  return {
    sizes,
    relists: new Counter({
      name: 'unikorn_cache_lists_total',
      help: 'Full lists of a kind',
      labelNames: ['kind'],
      registers,
    }),
    failures: new Counter({
      name: 'unikorn_cache_failures_total',
      help: 'Lists and watches that failed and were retried',
      labelNames: ['kind'],
      registers,
    }),
  };
});

export const leaderMetrics = perRegistry((registry) => ({
  leading: new Gauge({
    name: 'unikorn_leader',
    help: '1 while this process holds the lease',
    labelNames: ['lease'],
    registers: [registry],
  }),
}));

/** The work of one controller at the moment. */
export interface ControllerState {
  readonly name: string;
  readonly queued: Readonly<Record<string, number>>;
  readonly delayed: number;
  readonly running: number;
  readonly retrying: number;
  readonly parked: number;
  readonly oldestQueuedSeconds: number;
}

/** The controllers of this process, in the order of their names. */
export function controllerStates(registry: Registry): readonly ControllerState[] {
  return [...controllerMetrics(registry).running]
    .map(([name, { queue, retrying, parked }]) => ({
      name,
      queued: Object.fromEntries(priorities.map((priority) => [priority, queue.depth(priority)])),
      delayed: queue.delayed,
      running: queue.running.length,
      retrying: retrying(),
      parked: parked(),
      oldestQueuedSeconds: queue.oldest_ms / 1000,
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
