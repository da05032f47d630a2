import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { fakeTerminal } from '../testing/product.ts';
import { readSources } from './sources.ts';

const folder = await mkdtemp(join(tmpdir(), 'unikorn-files-'));
await mkdir(join(folder, 'stack/inner'), { recursive: true });
for (const name of ['b.yml', 'a.yaml', 'c.json', 'README.md', 'inner/d.yaml'])
  await writeFile(join(folder, 'stack', name), name);
afterAll(() => rm(folder, { recursive: true }));

const terminal = fakeTerminal({ cwd: folder, input: 'piped' });

test('a folder means the resources in it, and with -R those in its subfolders', async () => {
  const names = async (recursive: boolean) =>
    (await readSources({ filename: ['stack'], recursive }, terminal)).map(({ name }) => name);
  expect(await names(false)).toEqual(['stack/a.yaml', 'stack/b.yml', 'stack/c.json'].map((name) => join(name)));
  expect(await names(true)).toContain(join('stack/inner/d.yaml'));
});

test('files and standard input can be combined', async () => {
  expect(await readSources({ filename: ['stack/a.yaml', '-'] }, terminal)).toEqual([
    { name: 'stack/a.yaml', text: 'a.yaml' },
    { name: 'standard input', text: 'piped' },
  ]);
});

test('a file that cannot be read is a usage error', async () => {
  await expect(readSources({ filename: ['nowhere.yaml'] }, terminal)).rejects.toMatchObject({
    ending: 'usage',
    message: 'there is no file nowhere.yaml',
  });
  await mkdir(join(folder, 'empty'), { recursive: true });
  await expect(readSources({ filename: ['empty'] }, terminal)).rejects.toMatchObject({
    ending: 'usage',
    hints: ['-R also reads its subfolders'],
  });
});
