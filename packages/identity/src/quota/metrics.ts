import { Counter, Gauge, Histogram } from 'prom-client';

import { perRegistry } from '@unikorn/core/telemetry';

export const ledgerMetrics = perRegistry((registry) => ({
  changes: new Counter({
    name: 'unikorn_quota_changes_total',
    help: 'Quota charges and releases, by outcome',
    labelNames: ['type', 'outcome'],
    registers: [registry],
  }),
  combined: new Histogram({
    name: 'unikorn_quota_changes_per_write',
    help: 'Changes stored by one write of a ledger',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    registers: [registry],
  }),
  settled: new Counter({
    name: 'unikorn_quota_settled_total',
    help: 'Changes that their process left unfinished, by outcome',
    labelNames: ['verdict'],
    registers: [registry],
  }),
  used: new Gauge({
    name: 'unikorn_quota_used',
    help: 'Quota in use, of the organizations that are closest to a limit',
    labelNames: ['organization_id', 'kind'],
    registers: [registry],
  }),
  limit: new Gauge({
    name: 'unikorn_quota_limit',
    help: 'Limits of the same quotas',
    labelNames: ['organization_id', 'kind'],
    registers: [registry],
  }),
  drift: new Counter({
    name: 'unikorn_quota_drift_total',
    help: 'Ledgers whose totals did not match their allocations and were corrected',
    registers: [registry],
  }),
}));
