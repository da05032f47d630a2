import { DatabaseSync } from 'node:sqlite';

import { Failure } from '../failure.ts';
import { waits } from '../limits.ts';
import type { Terminal } from '../terminal.ts';

/**
 * Runs an operation while no other command runs it. The lock is an open transaction on an empty file; the operating
 * system releases it when the process ends, also after a crash.
 */
export async function locked<T>(
  file: string,
  { sleep, signal }: Pick<Terminal, 'sleep' | 'signal'>,
  work: () => Promise<T>,
): Promise<T> {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    for (let waited_ms = 0; !taken(lock); waited_ms += waits.lockRetry_ms) {
      if (waited_ms > waits.lock_ms)
        throw new Failure(
          'timedOut',
          `another command has been changing contexts for ${waits.lock_ms / 1000} seconds`,
          `if no other command is running, remove ${file}`,
        );
      await sleep(waits.lockRetry_ms, signal);
    }
    return await work();
  } finally {
    lock.close();
  }
}

/** SQLite's primary result code for a file that another process has locked. */
const busy = 5;

function taken(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (
      error instanceof Error &&
      'errcode' in error &&
      typeof error.errcode === 'number' &&
      (error.errcode & 0xff) === busy
    )
      return false;
    throw error;
  }
}
