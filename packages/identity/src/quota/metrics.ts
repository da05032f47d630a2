import { Counter, Histogram } from 'prom-client';

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
  drift: new Counter({
    name: 'unikorn_quota_drift_total',
    help: 'Ledgers whose totals did not match their allocations and were corrected',
    registers: [registry],
  }),
}));
