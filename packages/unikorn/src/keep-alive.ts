import { MessageChannel } from 'node:worker_threads';

/** Runs work that may wait for nothing but a timer. Timers of the world do not keep the process alive. */
export async function keptAlive<T>(work: () => Promise<T>): Promise<T> {
  const { port1: alive } = new MessageChannel();
  alive.ref();
  try {
    return await work();
  } finally {
    alive.close();
  }
}
