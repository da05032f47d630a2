import { backoff_ms } from '../../backoff.ts';
import { waits } from '../../limits.ts';
import { isRefused } from './failure.ts';

/** The pause after a number of failures in a row, with a random part, so that processes do not retry together. */
export function shortPause_ms(failures: number, random: number): number {
  const step_ms = Math.min(waits.kubernetesPauseMax_ms, waits.kubernetesPauseMin_ms * 2 ** failures);
  return (step_ms / 2) * (1 + random);
}

/** The same for a read that is repeated until it works. Only an operator can end a refusal, so it is asked seldom. */
export function pauseAfter_ms(thrown: unknown, failures: number, random: number): number {
  return isRefused(thrown) ? backoff_ms(failures, random) : shortPause_ms(failures, random);
}
