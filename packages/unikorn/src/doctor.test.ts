import { chmodSync, rmSync } from 'node:fs';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { inspectState } from './doctor.ts';
import { keyFile } from './state-directory.ts';
import { temporaryFolder, Unikorn } from './unikorn.fixture.ts';

const folder = temporaryFolder();
let server: Unikorn;

beforeAll(async () => {
  server = new Unikorn(['serve', '--port', '0', '--state', folder.path, '--no-demo', '--log-level', 'silent']);
  await server.ready();
});

afterAll(async () => {
  await server.kill('SIGKILL');
  folder.remove();
});

const verdicts = async () =>
  Object.fromEntries((await inspectState(folder.path)).map(({ name, verdict }) => [name, verdict]));

it('the state directory of a running server has no problems, and that of a stopped one only the missing server', async () => {
  expect(await verdicts()).toEqual({ state: 'good', 'encryption key': 'good', credentials: 'good', disk: 'good' });
  await server.kill('SIGTERM');
  expect(await verdicts()).toMatchObject({ state: 'warning', credentials: 'good' });
});

it('a key that others can read, or that is missing, is found', async () => {
  chmodSync(keyFile(folder.path), 0o644);
  expect(await inspectState(folder.path)).toContainEqual({
    name: 'encryption key',
    verdict: 'bad',
    found: `${keyFile(folder.path)} can be read by others (mode 644)`,
    remedy: `chmod 600 ${keyFile(folder.path)}`,
  });
  rmSync(keyFile(folder.path));
  expect((await verdicts())['encryption key']).toBe('bad');
});

it('a folder without a state is reported', async () => {
  const empty = temporaryFolder();
  expect(await inspectState(empty.path)).toMatchObject([{ name: 'state', verdict: 'warning' }]);
  empty.remove();
});
