import type { World } from '@unikorn/core/world';

import { waits } from '../limits.ts';

/** Aborts when the process is asked to stop. A second request ends the process immediately. */
export function stopRequested(world: World): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(1);
      stop.abort();
    });
  }
  void stopWithParent(stop, world);
  return stop.signal;
}

/**
 * `npm start` runs several nested processes. A server that outlives them would keep its port and state without being
 * noticed.
 */
async function stopWithParent(stop: AbortController, world: World): Promise<void> {
  const parent = process.env['UNIKORN_PARENT'];
  if (parent === undefined) return;
  while (!stop.signal.aborted) {
    if (String(process.ppid) !== parent) stop.abort();
    await world.sleep(waits.parentCheck_ms, stop.signal);
  }
}
