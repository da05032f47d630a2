import { limits } from './limits.ts';

/**
 * How long to wait after so many failures in a row: doubling from the shortest to the longest pause, each drawn from
 * the upper half of its step, so that what failed together is not retried together.
 */
export function backoff_ms(failures: number, random: number): number {
  const step_ms = Math.min(limits.backoffMax_ms, limits.backoffMin_ms * 2 ** failures);
  return Math.round((step_ms / 2) * (1 + random));
}
