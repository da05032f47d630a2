import type { World } from '@unikorn/core/world';

import { waits } from '../limits.ts';

/**
 * Aborts when the process is asked to stop. A second request ends the process immediately. SIGHUP means that the
 * terminal was closed, and stops only a server that was started in one. Service managers and log rotation send it too,
 * to processes that shall go on.
 */
export function stopRequested(world: World): AbortSignal {
  const stop = new AbortController();
  const hangup = process.stdin.isTTY ? (['SIGHUP'] as const) : [];
  if (hangup.length === 0) process.on('SIGHUP', () => undefined);
  for (const signal of ['SIGINT', 'SIGTERM', ...hangup] as const) {
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
