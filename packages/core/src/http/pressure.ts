import { waits } from '../limits.ts';
import type { World } from '../world/index.ts';

/** Measurements of the process. */
export interface Vitals {
  readonly heap_bytes: number;
  readonly resident_bytes: number;
  /** CPU time that the event loop has used since the start. */
  readonly cpu_ms: number;
}

export interface PressureLimits {
  /** Maximum delay of the event loop. */
  readonly delay_ms: number;
  readonly heap_bytes: number;
  readonly resident_bytes: number;
}

/** Returns the reason why the process cannot accept more work at the moment, or undefined. */
export type Pressure = () => string | undefined;

/**
 * Measures the process regularly until the signal aborts. A timer that fires late shows how long all work waits. Only
 * the part that our own CPU use caused counts: if other processes use the machine, refusing requests does not help.
 *
 * @example watchPressure(world, vitals, { delay_ms: 500, heap_bytes: 2 ** 31, resident_bytes: Infinity }, stop)
 */
export function watchPressure(
  world: Pick<World, 'monotonic_ms' | 'after'>,
  vitals: () => Vitals,
  limits: PressureLimits,
  signal: AbortSignal,
): Pressure {
  let found: string | undefined;
  const sample = (): void => {
    const due_ms = world.monotonic_ms() + waits.pressureSample_ms;
    const before_ms = vitals().cpu_ms;
    const cancel = world.after(waits.pressureSample_ms, () => {
      signal.removeEventListener('abort', cancel);
      const now = vitals();
      found = pressureOf({ ...now, delay_ms: Math.min(world.monotonic_ms() - due_ms, now.cpu_ms - before_ms) }, limits);
      sample();
    });
    signal.addEventListener('abort', cancel, { once: true });
  };
  if (!signal.aborted) sample();
  return () => found;
}

export function pressureOf(
  now: Omit<Vitals, 'cpu_ms'> & { readonly delay_ms: number },
  limits: PressureLimits,
): string | undefined {
  if (now.delay_ms > limits.delay_ms) return 'the server is overloaded';
  if (now.heap_bytes > limits.heap_bytes || now.resident_bytes > limits.resident_bytes)
    return 'the server is short of memory';
  return undefined;
}
