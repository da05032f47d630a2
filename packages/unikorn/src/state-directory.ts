import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { toError } from '@unikorn/core/errors';

export function stateFile(directory: string): string {
  return join(directory, 'state.db');
}

/** The objects of a backup of an installation on Kubernetes. */
export function objectsFile(directory: string): string {
  return join(directory, 'objects.jsonl');
}

/** Kept beside the state, not in it, so that a copy of the state alone cannot be decrypted. */
export function keyFile(directory: string): string {
  return join(directory, 'encryption.key');
}

export function credentialsFile(directory: string): string {
  return join(directory, 'credentials.json');
}

/** The folder for the credentials of regions, as `<namespace>/<name>/<key>`. */
export function secretsFolder(directory: string): string {
  return join(directory, 'secrets');
}

/** Contains the id of the process that serves the state, for scripts that must stop it. */
export function processFile(directory: string): string {
  return join(directory, 'server.pid');
}

/**
 * Lets only the user of this process read the files that it creates from now on. A folder of the state may already
 * exist and be readable for all users.
 */
export function keepFilesPrivate(): void {
  process.umask(0o077);
}

/**
 * Creates a folder that only its owner can read, and missing parents. Node's recursive mkdir never returns where a
 * folder cannot be created, such as in /proc.
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
