import { randomBytes, randomUUID } from 'node:crypto';

import type { Cancel, World } from './world.ts';

/** The longest delay of a timer, 24 days; with a longer delay it fires immediately. */
const longestTimer_ms = 2 ** 31 - 1;

function after(delay_ms: number, callback: () => void): Cancel {
  let timer: NodeJS.Timeout;
  const wait = (rest_ms: number) => {
    const part_ms = Math.min(rest_ms, longestTimer_ms);
    timer = setTimeout(() => {
      if (rest_ms > part_ms) wait(rest_ms - part_ms);
      else callback();
    }, part_ms).unref();
  };
  // A time that has passed is no mistake, but Node warns about it.
  wait(Math.max(0, delay_ms));
  return () => {
    clearTimeout(timer);
  };
}

/** The real clock, timers and randomness of the machine. */
export const systemWorld: World = {
  now: () => Date.now(),
  monotonic_ms: () => performance.now(),
  after,
  sleep(delay_ms, signal) {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const finish = () => {
        cancel();
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      const cancel = after(delay_ms, finish);
      signal?.addEventListener('abort', finish, { once: true });
    });
  },
  turn: () => new Promise((resolve) => setImmediate(resolve)),
  random: () => Math.random(),
  randomBytes: (size) => randomBytes(size),
  uuid: () => randomUUID(),
};
