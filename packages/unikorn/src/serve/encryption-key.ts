import { open, readFile } from 'node:fs/promises';

import { isProblem, Problem, toError } from '@unikorn/core/errors';
import type { World } from '@unikorn/core/world';

import type { Configuration } from '../configuration/schema.ts';
import { keyFile } from '../state-directory.ts';

const keyBytes = 32;

export type EncryptionKeys = readonly [current: Uint8Array, ...earlier: Uint8Array[]];

interface KeyContext {
  /** The state directory. */
  readonly state: string;
  readonly world: World;
  /** Whether the store already has data. */
  readonly started: boolean;
}

/**
 * The key that encrypts secrets in the store, and the keys that were used before. A file that the operator names can
 * have several lines. To replace the key, the operator adds a new first line, and restarts the processes.
 */
export async function encryptionKeys(
  { encryptionKeys: file }: Pick<Configuration['store'], 'encryptionKeys'>,
  { state, world, started }: KeyContext,
): Promise<EncryptionKeys> {
  if (file === undefined) return [await encryptionKey(state, world, started)];
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new Problem('storage_unusable', `${file} cannot be read: check its path and permissions`, { cause });
  }
  const [current = '', ...earlier] = text.trim().split(/\s+/);
  return [decoded(file, current), ...earlier.map((line) => decoded(file, line))];
}

/**
 * The key that encrypts the secrets in the store. The first start creates it beside the store, not in it. Later starts
 * need the same key.
 */
async function encryptionKey(state: string, world: World, started: boolean): Promise<Uint8Array> {
  const file = keyFile(state);
  try {
    return decoded(file, await readFile(file, 'utf8'));
  } catch (thrown) {
    const cause = toError(thrown);
    if (isProblem(cause)) throw cause;
    if (!('code' in cause && cause.code === 'ENOENT'))
      throw new Problem('storage_unusable', `${file} cannot be read: check its permissions`, { cause });
  }
  if (started)
    throw new Problem(
      'storage_unusable',
      `${file} is missing: restore the file that belongs to this state, for example from a backup`,
    );
  const key = world.randomBytes(keyBytes);
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(`${Buffer.from(key).toString('base64url')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return key;
}

function decoded(file: string, text: string): Uint8Array {
  const key = Buffer.from(text.trim(), 'base64url');
  if (key.length !== keyBytes)
    throw new Problem(
      'storage_unusable',
      `${file} does not contain a key of ${keyBytes} bytes: restore the key file that belongs to this state`,
    );
  return key;
}
