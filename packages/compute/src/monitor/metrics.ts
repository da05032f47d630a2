import { Counter, Gauge, Histogram } from 'prom-client';

import { perRegistry } from '@unikorn/core/telemetry';

export const monitorMetrics = perRegistry((registry) => {
  const registers = [registry];
  return {
    passes: new Histogram({
      name: 'unikorn_compute_monitor_pass_seconds',
      help: 'Duration of a look at every instance',
      buckets: [0.01, 0.1, 1, 5, 10, 30, 60],
      registers,
    }),
    findings: new Gauge({
      name: 'unikorn_compute_monitor_findings',
      help: 'What is not as it should be, by what looked for it',
      labelNames: ['checker'],
      registers,
    }),
    found: new Counter({
      name: 'unikorn_compute_monitor_findings_total',
      help: 'What was found not to be as it should',
      labelNames: ['checker'],
      registers,
    }),
    settledHolds: new Counter({
      name: 'unikorn_compute_monitor_settled_references_total',
      help: 'Instances whose references were made to fit what they use, and whether that worked',
      labelNames: ['outcome'],
      registers,
    }),
    settled: new Counter({
      name: 'unikorn_compute_monitor_settled_charges_total',
      help: 'Charges that were made to fit their instances, and whether that worked',
      labelNames: ['outcome'],
      registers,
    }),
  };
});
