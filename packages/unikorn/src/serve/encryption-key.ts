import { existsSync } from 'node:fs';
import { open, readFile, rename, writeFile } from 'node:fs/promises';

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
 * The key that encrypts secrets in the store, and the keys that were used before. A key file has one line for each. The
 * first key encrypts, and all of them decrypt. `unikorn rekey` makes the others unnecessary.
 */
export async function encryptionKeys(
  { encryptionKeys: file }: Pick<Configuration['store'], 'encryptionKeys'>,
  { state, world, started }: KeyContext,
): Promise<EncryptionKeys> {
  return file === undefined ? ownKeys(state, world, started) : keysIn(file);
}

/** The keys of a file, one per line. */
export async function keysIn(file: string): Promise<EncryptionKeys> {
  try {
    return parsed(file, await readFile(file, 'utf8'));
  } catch (cause) {
    if (isProblem(cause)) throw cause;
    throw new Problem('storage_unusable', `${file} cannot be read: check its path and permissions`, { cause });
  }
}

/** Writes the keys of a state. An existing file must have the same keys. */
export async function saveKeys(state: string, keys: EncryptionKeys): Promise<void> {
  const file = keyFile(state);
  if (existsSync(file)) {
    if (sameKeys(await keysIn(file), keys)) return;
    throw new Problem('conflict', `${file} has other keys: choose another state directory`);
  }
  await writeFile(`${file}.new`, text(keys), { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}

/** Throws unless the file for the processes in a cluster has all keys of another file. */
export async function assertKeysIn(file: string | undefined, own: string): Promise<void> {
  if (file === undefined)
    throw new Problem(
      'invalid_request',
      `the target needs the keys of the source: create its Secret from ${own}, and name that file with --encryption-keys`,
    );
  if (!includesKeys(await keysIn(file), await keysIn(own)))
    throw new Problem(
      'invalid_request',
      `${file} has not all keys of ${own}, so the target could not read secrets: add their lines to it`,
    );
}

/** Whether every one of the keys is among the others. */
function includesKeys(all: EncryptionKeys, some: EncryptionKeys): boolean {
  return some.every((key) => all.some((each) => Buffer.from(each).equals(key)));
}

function sameKeys(one: EncryptionKeys, other: EncryptionKeys): boolean {
  return includesKeys(one, other) && includesKeys(other, one);
}

/**
 * The keys in the state directory. The first start creates one beside the store, not in it. Later starts need the same
 * key.
 */
async function ownKeys(state: string, world: World, started: boolean): Promise<EncryptionKeys> {
  const file = keyFile(state);
  try {
    return parsed(file, await readFile(file, 'utf8'));
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
    await handle.writeFile(text([key]));
    await handle.sync();
  } finally {
    await handle.close();
  }
  return [key];
}

function text(keys: EncryptionKeys): string {
  return keys.map((key) => `${Buffer.from(key).toString('base64url')}\n`).join('');
}

function parsed(file: string, lines: string): EncryptionKeys {
  const [current = '', ...earlier] = lines.trim().split(/\s+/);
  return [decoded(file, current), ...earlier.map((line) => decoded(file, line))];
}

function decoded(file: string, line: string): Uint8Array {
  const key = Buffer.from(line, 'base64url');
  if (key.length !== keyBytes)
    throw new Problem(
      'storage_unusable',
      `${file} does not contain a key of ${keyBytes} bytes: restore the key file that belongs to this state`,
    );
  return key;
}
