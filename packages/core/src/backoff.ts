import { limits } from './limits.ts';

/**
 * The pause after a number of failures in a row. It doubles from the shortest to the longest pause. A random value from
 * the upper half of each step keeps objects that failed together from being retried together.
 */
export function backoff_ms(failures: number, random: number): number {
  const step_ms = Math.min(limits.backoffMax_ms, limits.backoffMin_ms * 2 ** failures);
  return Math.round((step_ms / 2) * (1 + random));
}
