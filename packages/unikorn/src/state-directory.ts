import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { toError } from '@unikorn/core/errors';

export function stateFile(directory: string): string {
  return join(directory, 'state.db');
}

/** Kept beside the state, not in it: a copy of the state alone opens nothing. */
export function keyFile(directory: string): string {
  return join(directory, 'encryption.key');
}

export function credentialsFile(directory: string): string {
  return join(directory, 'credentials.json');
}

/** Where operators put what regions are reached with, as `<namespace>/<name>/<key>`. */
export function secretsFolder(directory: string): string {
  return join(directory, 'secrets');
}

/** Holds the id of the process that serves the state, for those who must end it. */
export function processFile(directory: string): string {
  return join(directory, 'server.pid');
}

/**
 * Makes a folder for its owner alone, and those above it where they are missing. Node's own way never ends where there
 * can be none, such as in /proc.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (thrown) {
    const cause = toError(thrown);
    if (!('code' in cause)) throw cause;
    if (cause.code === 'ENOENT' && !(await exists(dirname(path)))) {
      await makeFolder(dirname(path));
      await mkdir(path, { mode: 0o700 });
    } else if (!(cause.code === 'EEXIST' && (await stat(path)).isDirectory())) throw cause;
  }
}

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
