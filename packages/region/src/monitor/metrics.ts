import { Counter, Gauge, Histogram } from 'prom-client';

import { perRegistry } from '@unikorn/core/telemetry';

export const monitorMetrics = perRegistry((registry) => {
  const registers = [registry];
  const regional = { labelNames: ['region_id'], registers } as const;
  return {
    passes: new Histogram({
      name: 'unikorn_region_monitor_pass_seconds',
      help: 'Duration of a look at every server',
      buckets: [0.01, 0.1, 1, 5, 10, 30, 60, 120, 300, 600],
      registers,
    }),
    looks: new Counter({
      name: 'unikorn_region_monitor_servers_total',
      help: 'Servers that were looked at',
      ...regional,
    }),
    writes: new Counter({
      name: 'unikorn_region_monitor_writes_total',
      help: 'Statuses that a look called for, and whether somebody else was faster',
      labelNames: ['region_id', 'outcome'],
      registers,
    }),
    failures: new Counter({
      name: 'unikorn_region_monitor_failures_total',
      help: 'Principals the provider could not be asked about',
      ...regional,
    }),
    missing: new Gauge({
      name: 'unikorn_region_monitor_missing',
      help: 'Servers the provider should show and does not',
      ...regional,
    }),
    orphans: new Gauge({
      name: 'unikorn_region_monitor_orphans',
      help: 'Servers of the provider that nobody here knows',
      ...regional,
    }),
    brake: new Gauge({
      name: 'unikorn_region_monitor_brake',
      help: '1 while what the monitor does not see is not believed to be missing',
      ...regional,
    }),
    away: new Gauge({
      name: 'unikorn_region_monitor_provider_away',
      help: '1 while the provider does not answer',
      ...regional,
    }),
    states: new Gauge({
      name: 'unikorn_region_server_state',
      help: 'Servers by what they were seen doing',
      labelNames: ['state', 'region_id', 'region_name', 'flavor_id', 'flavor_name'],
      registers,
    }),
    provisioning: new Histogram({
      name: 'unikorn_region_server_provision_duration_seconds',
      help: 'From the creation of a server until it first ran',
      buckets: [5, 15, 30, 60, 120, 300, 600, 900, 1800, 3600],
      ...regional,
    }),
    scheduling: new Histogram({
      name: 'unikorn_region_server_scheduling_duration_seconds',
      help: 'From the creation of a server until the provider had it',
      buckets: [1, 5, 10, 30, 60, 120, 300],
      ...regional,
    }),
  };
});
