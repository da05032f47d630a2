import type { DatabaseSync } from 'node:sqlite';

import { failureOf, problemOf } from './failure.ts';
import { Writer, type Batch, type Retention } from './writer.ts';

/** Carries out batches. */
export interface WriterPort {
  /**
   * Resolves once the batch is durable, with the version of each operation. Batches are carried out in the order of the
   * calls. If it fails with a Problem, nothing of the batch is stored.
   */
  commit(batch: Batch): Promise<readonly number[]>;
  /** Throws the error that a commit would get now. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

/** In the caller's own thread: for a store in memory, which does not wait for a disk. */
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
