import { Counter, Histogram } from 'prom-client';

import { perRegistry } from '@unikorn/core/telemetry';

export const ledgerMetrics = perRegistry((registry) => ({
  changes: new Counter({
    name: 'unikorn_quota_changes_total',
    help: 'Charges and releases by what became of them',
    labelNames: ['type', 'outcome'],
    registers: [registry],
  }),
  combined: new Histogram({
    name: 'unikorn_quota_changes_per_write',
    help: 'Changes that one write of a ledger stored',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    registers: [registry],
  }),
  settled: new Counter({
    name: 'unikorn_quota_settled_total',
    help: 'Changes whose process left them unfinished, by how they were ended',
    labelNames: ['verdict'],
    registers: [registry],
  }),
  drift: new Counter({
    name: 'unikorn_quota_drift_total',
    help: 'Ledgers whose totals were not the sum of their allocations and were corrected',
    registers: [registry],
  }),
}));
