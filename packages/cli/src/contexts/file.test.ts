import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { changeContexts, contextsFile, readContexts } from './file.ts';

let configDirectory: string;
const terminalHere = () => ({
  configDirectory,
  signal: new AbortController().signal,
  sleep: (duration_ms: number) => sleep(duration_ms),
});
const lab = { endpoints: 'https://lab.example.com', auth: { token: 't' } };

beforeEach(async () => {
  configDirectory = join(await mkdtemp(join(tmpdir(), 'unikorn-contexts-')), 'unikorn');
});

afterEach(() => rm(join(configDirectory, '..'), { recursive: true }));

it('the file can be read again, only by its owner', async () => {
  expect(await readContexts({ configDirectory })).toEqual({ contexts: {} });
  await changeContexts(terminalHere(), () => ({ current: 'lab', contexts: { lab } }));
  expect(await readContexts({ configDirectory })).toEqual({ current: 'lab', contexts: { lab } });
  expect((await stat(contextsFile({ configDirectory }))).mode & 0o777).toBe(0o600);
  expect((await stat(configDirectory)).mode & 0o777).toBe(0o700);
});

it('if the file cannot be written, the error contains a remedy', async () => {
  await writeFile(configDirectory, '');
  await expect(changeContexts(terminalHere(), () => ({ contexts: {} }))).rejects.toMatchObject({
    ending: 'refused',
    message: expect.stringContaining(`${configDirectory} cannot be written: `) as string,
    hints: [expect.stringContaining('XDG_CONFIG_HOME') as string],
  });
  await rm(configDirectory);
  await mkdir(contextsFile({ configDirectory }), { recursive: true });
  await expect(readContexts({ configDirectory })).rejects.toMatchObject({
    ending: 'refused',
    message: expect.stringContaining('config.yaml cannot be read: ') as string,
  });
});

it('a readable draft of an interrupted command does not make the file readable for others', async () => {
  await changeContexts(terminalHere(), () => ({ contexts: {} }));
  await writeFile(`${contextsFile({ configDirectory })}.new`, 'half', { mode: 0o644 });
  await changeContexts(terminalHere(), () => ({ contexts: { lab } }));
  expect((await stat(contextsFile({ configDirectory }))).mode & 0o777).toBe(0o600);
  expect((await readdir(configDirectory)).sort()).toEqual(['config.yaml', 'config.yaml.lock']);
});

it('a failed change changes nothing, and does not block the next one', async () => {
  await changeContexts(terminalHere(), () => ({ contexts: { lab } }));
  const before = await readFile(contextsFile({ configDirectory }), 'utf8');
  await expect(changeContexts(terminalHere(), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await readFile(contextsFile({ configDirectory }), 'utf8')).toBe(before);
  await changeContexts(terminalHere(), (contexts) => ({ ...contexts, current: 'lab' }));
});

it('concurrent processes lose no changes', async () => {
  const contender = join(import.meta.dirname, 'contender.fixture.ts');
  await Promise.all(
    ['a', 'b', 'c'].map((mark) => promisify(execFile)(process.execPath, [contender, configDirectory, mark, '10'])),
  );
  expect(Object.keys((await readContexts({ configDirectory })).contexts)).toHaveLength(30);
});
