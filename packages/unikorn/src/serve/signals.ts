import type { World } from '@unikorn/core/world';

/** How soon it is noticed that whoever started the server is gone. */
const parentCheck_ms = 1_000;

/** Aborts when the process is asked to stop; a second request ends it at once, for whoever will not wait. */
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

/** `npm start` is several processes deep; a server that outlives them would hold its port and state unseen. */
async function stopWithParent(stop: AbortController, world: World): Promise<void> {
  const parent = process.env['UNIKORN_PARENT'];
  if (parent === undefined) return;
  while (!stop.signal.aborted) {
    if (String(process.ppid) !== parent) stop.abort();
    await world.sleep(parentCheck_ms, stop.signal);
  }
}
