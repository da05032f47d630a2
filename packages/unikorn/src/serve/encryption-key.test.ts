import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { virtualWorld } from '@unikorn/core/testing';

import { encryptionKeys } from './encryption-key.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unikorn-keys-'));
});
afterAll(() => rm(folder, { recursive: true }));

const key = (byte: number) => Buffer.alloc(32, byte);
const keysIn = (file: string | undefined) =>
  encryptionKeys(file === undefined ? {} : { encryptionKeys: file }, {
    state: folder,
    world: virtualWorld(),
    started: false,
  });

it('the first key of the file encrypts, and the others are earlier keys', async () => {
  const file = join(folder, 'keys');
  await writeFile(file, `${[2, 1].map((byte) => key(byte).toString('base64url')).join('\n')}\n`);
  expect((await keysIn(file)).map((each) => Buffer.from(each))).toEqual([key(2), key(1)]);
});

it.each([
  ['a file that does not exist', undefined, 'cannot be read'],
  ['an empty file', '', 'does not contain a key'],
  ['a key that is too short', 'c2hvcnQ', 'does not contain a key'],
])('%s is refused', async (_, text, message) => {
  const file = join(folder, `bad-${String(text?.length)}`);
  if (text !== undefined) await writeFile(file, text);
  await expect(keysIn(file)).rejects.toThrow(message);
});

it('without a file the first start creates a key, and later starts use it', async () => {
  const created = await keysIn(undefined);
  const read = await keysIn(undefined);
  expect(read.map((each) => Buffer.from(each))).toEqual(created.map((each) => Buffer.from(each)));
});
