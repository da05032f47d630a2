import type { DatabaseSync } from 'node:sqlite';

import { failureOf, problemOf } from './failure.ts';
import { Writer, type Batch, type Retention } from './writer.ts';

/** Where batches are carried out. */
export interface WriterPort {
  /**
   * Resolves once the batch is durable, with the version of each operation; batches are carried out in the order they
   * come. Fails with a Problem, and then nothing of the batch is stored.
   */
  commit(batch: Batch): Promise<readonly number[]>;
  /** Fails as a commit would fail now. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

/** In the caller's own thread: for a store in memory, which has no disk to wait for. */
export function inlinePort(database: DatabaseSync, retention: Retention): WriterPort {
  const writer = new Writer(database, retention);
  return {
    commit(batch) {
      try {
        const [versions = []] = writer.commit([batch]);
        while (writer.compactable) writer.compact();
        return Promise.resolve(versions);
      } catch (error) {
        return Promise.reject(problemOf(failureOf(error)));
      }
    },
    probe() {
      try {
        writer.probe();
        return Promise.resolve();
      } catch (error) {
        return Promise.reject(problemOf(failureOf(error)));
      }
    },
    close: () => Promise.resolve(),
  };
}
