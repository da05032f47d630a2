/** Ends what it was returned for; calling it again does nothing. */
export type Cancel = () => void;

/**
 * Everything non-deterministic a program may ask for. Production gets the machine's, a test gets a seeded one that it
 * can wind forward.
 */
export interface World {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds from an arbitrary start that never goes backwards; for durations. */
  monotonic_ms(): number;
  /** Calls back once after the delay, unless cancelled. A timer never keeps the process alive. */
  after(delay_ms: number, callback: () => void): Cancel;
  /** Resolves after the delay; resolves early, without error, when the signal aborts. */
  sleep(delay_ms: number, signal?: AbortSignal): Promise<void>;
  /** Lets everything else that is ready run first: what a long loop calls so that it never starves the event loop. */
  turn(): Promise<void>;
  /** Uniform in [0, 1). Not for secrets. */
  random(): number;
  /** Cryptographically strong in production. */
  randomBytes(size: number): Uint8Array;
  /** A random UUIDv4. */
  uuid(): string;
}

let lastSecond = { number: Number.NaN, text: '' };

/** RFC 3339 in UTC with seconds, as stored timestamps are. What is asked for over and over is the present one. */
export function timestamp(now: number): string {
  const number = Math.floor(now / 1000);
  if (lastSecond.number !== number)
    lastSecond = { number, text: `${new Date(now).toISOString().slice(0, -'.000Z'.length)}Z` };
  return lastSecond.text;
}

let lastMillisecond = { number: Number.NaN, text: '' };

/** RFC 3339 in UTC with microsecond places, the form of Kubernetes leases. */
export function preciseTimestamp(now: number): string {
  if (lastMillisecond.number !== now)
    lastMillisecond = { number: now, text: `${new Date(now).toISOString().slice(0, -'Z'.length)}000Z` };
  return lastMillisecond.text;
}
