import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { backup } from './backup.ts';
import { inspectState } from './doctor.ts';
import { stateFile } from './state-directory.ts';
import { temporaryFolder, Unikorn } from './unikorn.fixture.ts';

const settings = () => ({ state: { directory: folder.path, ephemeral: false }, store: { type: 'sqlite' as const } });
const folder = temporaryFolder();
const elsewhere = temporaryFolder();

const start = (...more: readonly string[]) =>
  new Unikorn(['serve', '--port', '0', '--state', folder.path, '--no-demo', '--log-level', 'error', ...more]);

/** A start and a stop that store something. */
async function live(...more: readonly string[]): Promise<string> {
  const server = start(...more);
  await server.ready();
  return (await server.kill('SIGTERM')).errors;
}

beforeAll(async () => {
  await live();
  copyFileSync(stateFile(folder.path), join(elsewhere.path, 'earlier'));
  await live();
  // As if the log with the last acknowledged changes had been lost.
  copyFileSync(join(elsewhere.path, 'earlier'), stateFile(folder.path));
}, 120_000);

afterAll(() => {
  folder.remove();
  elsewhere.remove();
});

it(
  'a state without acknowledged changes is not served, and every command reports it',
  { timeout: 120_000 },
  async () => {
    const { code, errors } = await start().ended;
    expect(code).not.toBe(0);
    expect(errors).toMatch(
      /^error: the last \d+ acknowledged changes are missing from .*unikorn restore <folder> --replace, or start with --accept-loss/,
    );
    expect(await inspectState(folder.path)).toContainEqual(
      expect.objectContaining({
        name: 'state',
        verdict: 'bad',
        found: expect.stringContaining('are missing from') as unknown,
      }),
    );
    await expect(backup(settings(), join(elsewhere.path, 'backup'))).rejects.toThrow(/no backup was made/);
  },
);

it('it is served after the loss is accepted, which is logged once', { timeout: 120_000 }, async () => {
  expect(await live('--accept-loss')).toMatch(/are missing from .* this was accepted/);
  expect(await live()).toBe('');
  await backup(settings(), join(elsewhere.path, 'backup'));
});
