import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** Flushes the content of a file, or the entries of a directory, to the disk. */
export function synchronise(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Renames a finished file to its path. After a crash there is the old file or the new one, never a part of either. */
export function putInPlace(finished: string, path: string): void {
  synchronise(finished);
  renameSync(finished, path);
  synchronise(dirname(path));
}

/** Removes a database and the files that SQLite stores next to it. */
export function removeDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${suffix}`, { force: true });
}
