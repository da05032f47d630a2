import { perRegistry } from '@unikorn/core/telemetry';
import { Counter } from 'prom-client';

export const loginMetrics = perRegistry((registry) => ({
  logins: new Counter({
    name: 'unikorn_identity_logins_total',
    help: 'Login attempts, by method and outcome',
    labelNames: ['method', 'outcome'],
    registers: [registry],
  }),
}));
