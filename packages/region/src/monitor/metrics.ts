import { Counter, Gauge, Histogram } from 'prom-client';

import { perRegistry } from '@unikorn/core/telemetry';

export const monitorMetrics = perRegistry((registry) => {
  const registers = [registry];
  const regional = { labelNames: ['region_id'], registers } as const;
  return {
    passes: new Histogram({
      name: 'unikorn_region_monitor_pass_seconds',
      help: 'Duration of a monitor pass over all servers',
      buckets: [0.01, 0.1, 1, 5, 10, 30, 60, 120, 300, 600],
      registers,
    }),
    looks: new Counter({
      name: 'unikorn_region_monitor_servers_total',
      help: 'Servers checked',
      ...regional,
    }),
    writes: new Counter({
      name: 'unikorn_region_monitor_writes_total',
      help: 'Status updates by the monitor, by outcome',
      labelNames: ['region_id', 'outcome'],
      registers,
    }),
    failures: new Counter({
      name: 'unikorn_region_monitor_failures_total',
      help: 'Principals whose servers the provider could not list',
      ...regional,
    }),
    regions: new Gauge({
      name: 'unikorn_region_info',
      help: 'Always 1; its labels are the name and type of a region, to be joined with metrics that have its id',
      labelNames: ['region_id', 'region_name', 'type'],
      registers,
    }),
    missing: new Gauge({
      name: 'unikorn_region_monitor_missing',
      help: 'Servers that the provider should show but does not',
      ...regional,
    }),
    orphans: new Gauge({
      name: 'unikorn_region_monitor_orphans',
      help: 'Servers of the provider that are not in the store',
      ...regional,
    }),
    brake: new Gauge({
      name: 'unikorn_region_monitor_brake',
      help: '1 while the monitor does not treat unseen servers as missing',
      ...regional,
    }),
    away: new Gauge({
      name: 'unikorn_region_monitor_provider_away',
      help: '1 while the provider does not answer',
      ...regional,
    }),
    states: new Gauge({
      name: 'unikorn_region_server_state',
      help: 'Servers, by observed state',
      labelNames: ['state', 'region_id', 'region_name', 'flavor_id', 'flavor_name'],
      registers,
    }),
    provisioning: new Histogram({
      name: 'unikorn_region_server_provision_duration_seconds',
      help: 'Time from the creation of a server until it first ran',
      buckets: [5, 15, 30, 60, 120, 300, 600, 900, 1800, 3600],
      ...regional,
    }),
    scheduling: new Histogram({
      name: 'unikorn_region_server_scheduling_duration_seconds',
      help: 'Time from the creation of a server until the provider had created it',
      buckets: [1, 5, 10, 30, 60, 120, 300],
      ...regional,
    }),
  };
});
