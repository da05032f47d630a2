import { Gauge } from 'prom-client';

import { perRegistry } from './metrics.ts';

/** The value is always 1: the labels are the information, and queries join them with other metrics. */
export const buildInfo = perRegistry(
  (registry) =>
    new Gauge({
      name: 'unikorn_build_info',
      help: 'Always 1; its labels are the version of the platform and of Node',
      labelNames: ['version', 'node'],
      registers: [registry],
    }),
);
