import { DatabaseSync } from 'node:sqlite';

import { Problem, toError } from '../../errors/index.ts';
import { isBusy } from './failure.ts';

/**
 * Locks a state for this process until the returned function is called. The lock is a transaction that never ends, on a
 * file next to the state. The operating system releases it when the process ends for any reason.
 */
export function lockState(path: string): () => void {
  const lock = new DatabaseSync(`${path}.lock`, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (isBusy(error))
      throw new Problem(
        'storage_unusable',
        `${path} is in use by another process: stop that process first, or choose another state`,
        { cause: error },
      );
    throw new Problem('storage_unusable', `${path}.lock cannot be used: remove it; it contains no data`, {
      cause: toError(error),
    });
  }
  return () => {
    lock.close();
  };
}
