import type { World } from '../world/index.ts';

/** How the process is doing. */
export interface Vitals {
  readonly heap_bytes: number;
  readonly resident_bytes: number;
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

/** Looks at the process regularly until the signal aborts. A timer that fires late shows how long everybody waits. */
export function watchPressure(world: World, vitals: () => Vitals, limits: PressureLimits, signal: AbortSignal): Pressure {
  let found: string | undefined;
  const sample = (): void => {
    const due_ms = world.monotonic_ms() + sample_ms;
    const cancel = world.after(sample_ms, () => {
      signal.removeEventListener('abort', cancel);
      found = pressureOf({ ...vitals(), delay_ms: world.monotonic_ms() - due_ms }, limits);
      sample();
    });
    signal.addEventListener('abort', cancel, { once: true });
  };
  if (!signal.aborted) sample();
  return () => found;
}

export function pressureOf(now: Vitals & { readonly delay_ms: number }, limits: PressureLimits): string | undefined {
  if (now.delay_ms > limits.delay_ms) return 'the server is behind with its work';
  if (now.heap_bytes > limits.heap_bytes || now.resident_bytes > limits.resident_bytes) return 'the server is short of memory';
  return undefined;
}
