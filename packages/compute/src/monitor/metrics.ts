import { Counter, Gauge, Histogram } from 'prom-client';

import { perRegistry } from '@unikorn/core/telemetry';

export const monitorMetrics = perRegistry((registry) => {
  const registers = [registry];
  return {
    passes: new Histogram({
      name: 'unikorn_compute_monitor_pass_seconds',
      help: 'Duration of a monitor pass over all instances',
      buckets: [0.01, 0.1, 1, 5, 10, 30, 60],
      registers,
    }),
    instances: new Gauge({
      name: 'unikorn_compute_instances',
      help: 'Instances, by region and state: running, stopped and so on; or, if an instance is not provisioned, how far it is',
      labelNames: ['region_id', 'state'],
      registers,
    }),
    findings: new Gauge({
      name: 'unikorn_compute_monitor_findings',
      help: 'Open problems, by the checker that found them',
      labelNames: ['checker'],
      registers,
    }),
    found: new Counter({
      name: 'unikorn_compute_monitor_findings_total',
      help: 'Problems found',
      labelNames: ['checker'],
      registers,
    }),
    settledHolds: new Counter({
      name: 'unikorn_compute_monitor_settled_references_total',
      help: 'Instances whose references were corrected, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    removedServers: new Counter({
      name: 'unikorn_compute_monitor_removed_servers_total',
      help: 'Servers of deleted instances that were deleted, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    settled: new Counter({
      name: 'unikorn_compute_monitor_settled_charges_total',
      help: 'Quota charges that were corrected, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
  };
});
