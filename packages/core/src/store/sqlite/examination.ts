import { Worker } from 'node:worker_threads';

import { moduleBeside } from './threads.ts';

/** A check of the whole state on its own thread; undefined if the state is intact, or if the check was cancelled. */
export function examineBeside(path: string): {
  readonly damage: Promise<string | undefined>;
  readonly giveUp: () => Promise<unknown>;
} {
  const thread = new Worker(moduleBeside('examiner'), { workerData: path });
  // The process may end without waiting for it.
  thread.unref();
  const damage = new Promise<string | undefined>((resolve) => {
    thread.once('message', (found: unknown) => {
      resolve(typeof found === 'string' ? found : undefined);
    });
    thread.once('error', () => {
      resolve(undefined);
    });
    thread.once('exit', () => {
      resolve(undefined);
    });
  });
  return { damage, giveUp: () => thread.terminate() };
}
