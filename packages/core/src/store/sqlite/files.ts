import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** Forces a file's content, or a directory's entries, to the disk. */
export function synchronise(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Puts a finished file in its place; after a crash there is the old one or the new one, never half of either. */
export function putInPlace(finished: string, path: string): void {
  synchronise(finished);
  renameSync(finished, path);
  synchronise(dirname(path));
}

/** Removes a database and what SQLite keeps beside it. */
export function removeDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${path}${suffix}`, { force: true });
}
