import { DatabaseSync } from 'node:sqlite';

import { Failure } from '../failure.ts';
import type { Terminal } from '../terminal.ts';

const retry_ms = 20;
/** Longer than a refresh takes on a slow connection. */
const patience_ms = 30_000;

/**
 * Does something that no other command does at the same time. The lock is an open transaction on a file that holds nothing:
 * the operating system drops it with the process, however that dies.
 */
export async function locked<T>(
  file: string,
  { sleep, signal }: Pick<Terminal, 'sleep' | 'signal'>,
  work: () => Promise<T>,
): Promise<T> {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    for (let waited_ms = 0; !taken(lock); waited_ms += retry_ms) {
      if (waited_ms > patience_ms)
        throw new Failure(
          'timedOut',
          `another command has been changing contexts for ${patience_ms / 1000} seconds`,
          `if no other command is running, remove ${file}`,
        );
      await sleep(retry_ms, signal);
    }
    return await work();
  } finally {
    lock.close();
  }
}

/** SQLite's primary result code for a file that somebody else has locked. */
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
