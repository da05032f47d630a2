import type { World } from '../world/index.ts';

/** How the process is doing. */
export interface Vitals {
  readonly heap_bytes: number;
  readonly resident_bytes: number;
  /** Processor time that the event loop has had since it began. */
  readonly cpu_ms: number;
}

export interface PressureLimits {
  /** How late the event loop may be. */
  readonly delay_ms: number;
  readonly heap_bytes: number;
  readonly resident_bytes: number;
}

/** Says why the process cannot take more work at the moment, if it cannot. */
export type Pressure = () => string | undefined;

/** Often enough to notice a burst before it has filled the memory. */
const sample_ms = 500;

/**
 * Looks at the process regularly until the signal aborts. A timer that fires late shows how long everybody waits. It
 * counts only as far as our own work took the time: on a machine that is busy with others, refusing requests would make
 * nothing faster.
 */
export function watchPressure(
  world: Pick<World, 'monotonic_ms' | 'after'>,
  vitals: () => Vitals,
  limits: PressureLimits,
  signal: AbortSignal,
): Pressure {
  let found: string | undefined;
  const sample = (): void => {
    const due_ms = world.monotonic_ms() + sample_ms;
    const before_ms = vitals().cpu_ms;
    const cancel = world.after(sample_ms, () => {
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
