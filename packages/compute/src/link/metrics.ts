import { Counter } from 'prom-client';

import { perRegistry } from '@unikorn/core/telemetry';

export const linkMetrics = perRegistry((registry) => {
  const registers = [registry];
  return {
    missing: new Counter({
      name: 'unikorn_compute_reverse_map_missing_total',
      help: 'Changes of servers whose instance does not exist',
      registers,
    }),
    duplicate: new Counter({
      name: 'unikorn_compute_reverse_map_duplicate_total',
      help: 'Changes of servers whose instance has another server',
      registers,
    }),
    ambiguous: new Counter({
      name: 'unikorn_compute_ambiguous_link_total',
      help: 'Searches for the server of an instance that found more than one server',
      registers,
    }),
  };
});
