import { Problem } from '../errors/index.ts';
import { waits } from '../limits.ts';
import type { World } from '../world/index.ts';

/** Whether a request that began at this time may have been sent before the process stood still. */
export type Standstill = (begun_ms: number) => boolean;

/**
 * Notices that the process stood still: it was stopped, or its whole machine was. A client that got no answer has sent
 * its request to another process meanwhile, and perhaps later ones. So a change that waited here is out of date, and
 * could undo a later one.
 *
 * A request that waited in a connection looks new when the process continues. So requests that begin shortly after a
 * standstill count as well.
 *
 * @example const isDoubtful = watchStandstill(world, stop); if (isDoubtful(begun_ms)) refuse();
 */
export function watchStandstill(world: Pick<World, 'now' | 'monotonic_ms' | 'after'>, signal: AbortSignal): Standstill {
  let seen_ms = world.monotonic_ms();
  let seenAt = world.now();
  let over_ms = -Infinity;
  const look = (): void => {
    const now_ms = world.monotonic_ms();
    const now = world.now();
    // The clock for durations does not count the time in which a machine is suspended.
    if (Math.max(now_ms - seen_ms, now - seenAt) >= waits.standstill_ms) over_ms = now_ms;
    seen_ms = now_ms;
    seenAt = now;
  };
  const beat = (): void => {
    const cancel = world.after(waits.standstillBeat_ms, () => {
      signal.removeEventListener('abort', cancel);
      look();
      beat();
    });
    signal.addEventListener('abort', cancel, { once: true });
  };
  if (!signal.aborted) beat();
  return (begun_ms) => {
    // The timers of a process that continues may fire after the first requests.
    look();
    return begun_ms < over_ms + waits.standstillArrivals_ms;
  };
}

export function lateRequest(): Problem {
  return new Problem(
    'overloaded',
    'the server was stopped for a while, and this change may be older than others: send it again if it is still needed',
  );
}
