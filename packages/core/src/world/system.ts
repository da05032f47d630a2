import { randomBytes, randomUUID } from 'node:crypto';

import type { World } from './world.ts';

/** The machine's own clock, timers and randomness. */
export const systemWorld: World = {
  now: () => Date.now(),
  monotonic_ms: () => performance.now(),
  after(delay_ms, callback) {
    const timer = setTimeout(callback, delay_ms).unref();
    return () => {
      clearTimeout(timer);
    };
  },
  sleep(delay_ms, signal) {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, delay_ms).unref();
      signal?.addEventListener('abort', finish, { once: true });
    });
  },
  turn: () => new Promise((resolve) => setImmediate(resolve)),
  random: () => Math.random(),
  randomBytes: (size) => randomBytes(size),
  uuid: () => randomUUID(),
};
