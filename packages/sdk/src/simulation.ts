import type { Simulation } from './types.ts';

/**
 * The settings of a new simulated region, except for its capacities: no faults, and the speed of an average cloud. The
 * API cannot be asked for them.
 */
export const healthySimulation = {
  call_ms: 20,
  build_ms: 15_000,
  power_ms: 3_000,
  delete_ms: 5_000,
  image_ms: 20_000,
  loadBalancer_ms: 5_000,
  fileStorage_ms: 5_000,
  errorRate: 0,
  lostResponseRate: 0,
  notFoundRate: 0,
  buildFailureRate: 0,
  service: 'up',
} as const satisfies Partial<Simulation>;
