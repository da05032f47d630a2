import { Counter, Gauge, Histogram } from 'prom-client';

import { perRegistry } from '../telemetry/index.ts';

export const sagaMetrics = perRegistry((registry) => {
  const registers = [registry];
  return {
    started: new Counter({
      name: 'unikorn_saga_started_total',
      help: 'Sagas started',
      labelNames: ['saga'],
      registers,
    }),
    finished: new Counter({
      name: 'unikorn_saga_finished_total',
      help: 'Sagas that ended in this process: done, undone, or left to another process',
      labelNames: ['saga', 'outcome'],
      registers,
    }),
    recovered: new Counter({
      name: 'unikorn_saga_recovered_total',
      help: 'Sagas taken over from a process that ended',
      labelNames: ['saga', 'action'],
      registers,
    }),
    step: new Histogram({
      name: 'unikorn_saga_step_duration_seconds',
      help: 'Duration of single steps and undos',
      labelNames: ['saga', 'step', 'action', 'outcome'],
      registers,
    }),
    undoRetries: new Counter({
      name: 'unikorn_saga_undo_retries_total',
      help: 'Undos that failed and are retried',
      labelNames: ['saga', 'step'],
      registers,
    }),
    stuck: new Gauge({
      name: 'unikorn_saga_stuck',
      help: 'Sagas that need an operator; every process that can recover a saga reports it',
      labelNames: ['saga'],
      registers,
    }),
  };
});
