import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The name of a secret in a region's spec. */
export interface SecretReference {
  readonly namespace: string;
  readonly name: string;
}

/** The credentials of regions that operators store. */
export interface Secrets {
  /** The values by key; undefined if the secret does not exist. */
  read(reference: SecretReference): Promise<Readonly<Record<string, string>> | undefined>;
}

/** For a deployment whose regions need no secrets. */
export const noSecrets: Secrets = { read: () => Promise.resolve(undefined) };

/** A Kubernetes name, so that no part of a path leads out of the folder. */
const objectName = /^[a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?$/;

/**
 * Secrets as files, `<path>/<namespace>/<name>/<key>`, which is also how Kubernetes mounts them. They are read for each
 * use, so that changes take effect at once.
 */
export function folderSecrets(path: string): Secrets {
  return {
    async read({ namespace, name }) {
      if (!objectName.test(namespace) || !objectName.test(name)) return undefined;
      const folder = join(path, namespace, name);
      const keys = await keysIn(folder);
      if (!keys) return undefined;
      return Object.fromEntries(
        await Promise.all(keys.map(async (key) => [key, await readFile(join(folder, key), 'utf8')] as const)),
      );
    },
  };
}

/** Kubernetes uses hidden files and folders to replace a mounted secret atomically. They are not keys. */
async function keysIn(folder: string): Promise<readonly string[] | undefined> {
  const found = await namesIn(folder);
  if (!found) return undefined;
  const visible = found.filter((name) => !name.startsWith('.'));
  const files = await Promise.all(visible.map(async (name) => (await stat(join(folder, name))).isFile()));
  return visible.filter((_, index) => files[index]);
}

async function namesIn(folder: string): Promise<readonly string[] | undefined> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw error;
  }
}
