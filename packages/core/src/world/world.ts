/** Cancels the operation that returned it. A second call does nothing. */
export type Cancel = () => void;

/**
 * All sources of non-determinism. Production uses those of the machine; a test uses a seeded world whose time it can
 * advance.
 */
export interface World {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds from an arbitrary start that never goes backwards; for durations. */
  monotonic_ms(): number;
  /** Calls back once after the delay, unless it is cancelled. A timer never keeps the process alive. */
  after(delay_ms: number, callback: () => void): Cancel;
  /** Resolves after the delay; resolves early, without error, when the signal aborts. */
  sleep(delay_ms: number, signal?: AbortSignal): Promise<void>;
  /** Lets other ready work run first. Long loops call it so that they do not block the event loop. */
  turn(): Promise<void>;
  /** Uniform in [0, 1). Not for secrets. */
  random(): number;
  /** Cryptographically strong in production. */
  randomBytes(size: number): Uint8Array;
  /** A random UUIDv4. */
  uuid(): string;
}

let lastSecond = { number: Number.NaN, text: '' };

/**
 * RFC 3339 in UTC with seconds, as in stored timestamps. The last result is cached, because most calls ask for the
 * present second.
 *
 * @example timestamp(world.now()) // 2026-01-31T12:00:00Z
 */
export function timestamp(now: number): string {
  const number = Math.floor(now / 1000);
  if (lastSecond.number !== number)
    lastSecond = { number, text: `${new Date(now).toISOString().slice(0, -'.000Z'.length)}Z` };
  return lastSecond.text;
}

let lastMillisecond = { number: Number.NaN, text: '' };

/** RFC 3339 in UTC with microseconds, the format of Kubernetes leases. */
export function preciseTimestamp(now: number): string {
  if (lastMillisecond.number !== now)
    lastMillisecond = { number: now, text: `${new Date(now).toISOString().slice(0, -'Z'.length)}000Z` };
  return lastMillisecond.text;
}
