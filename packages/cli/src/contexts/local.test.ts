import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, it } from 'vitest';

import { findLocalServer } from './local.ts';

let folder: string;
const endpoints = {
  identity: 'http://127.0.0.1:8080/identity',
  region: 'http://127.0.0.1:8080/region',
  compute: 'http://127.0.0.1:8080/compute',
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unikorn-local-'));
  await mkdir(join(folder, 'a/b'), { recursive: true });
});

afterEach(() => rm(folder, { recursive: true }));

async function server(at: string, credentials: object | string): Promise<void> {
  await mkdir(join(folder, at), { recursive: true });
  await writeFile(
    join(folder, at, 'credentials.json'),
    typeof credentials === 'string' ? credentials : JSON.stringify(credentials),
  );
}

it('the server of the nearest parent folder is found', async () => {
  await server('.unikorn', { endpoints, adminToken: 'far' });
  const cwd = join(folder, 'a/b');
  expect(await findLocalServer({ env: {}, cwd })).toMatchObject({ directory: join(folder, '.unikorn'), token: 'far' });
  await server('a/.unikorn', { endpoints, adminToken: 'admin', token: 'near', projectId: 'p' });
  expect(await findLocalServer({ env: {}, cwd })).toEqual({
    directory: join(folder, 'a/.unikorn'),
    endpoints,
    publicUrl: 'http://127.0.0.1:8080',
    token: 'near',
    projectId: 'p',
  });
});

it('UNIKORN_STATE selects another, and disables the search', async () => {
  await server('.unikorn', { endpoints, adminToken: 'here' });
  await server('a/state', { endpoints, adminToken: 'there' });
  expect(await findLocalServer({ env: { UNIKORN_STATE: 'a/state' }, cwd: folder })).toMatchObject({ token: 'there' });
  expect(await findLocalServer({ env: { UNIKORN_STATE: 'nowhere' }, cwd: folder })).toBeUndefined();
});

it('a file without a server counts as absent', async () => {
  for (const written of ['{', '[]', { endpoints }, { adminToken: 'x', endpoints: { identity: 'nowhere' } }]) {
    await server('.unikorn', written);
    expect(await findLocalServer({ env: { UNIKORN_STATE: '.unikorn' }, cwd: folder })).toBeUndefined();
  }
});

it('commands on the machine of the server use its loopback address, also before its name exists', async () => {
  await server('b/.unikorn', {
    endpoints: {
      identity: 'https://cloud.example.com/identity',
      region: 'https://cloud.example.com/region',
      compute: 'https://cloud.example.com/compute',
    },
    local: 'http://127.0.0.1:8080',
    adminToken: 'admin',
  });
  expect(await findLocalServer({ env: { UNIKORN_STATE: 'b/.unikorn' }, cwd: folder })).toMatchObject({
    endpoints: 'http://127.0.0.1:8080',
    publicUrl: 'https://cloud.example.com',
    token: 'admin',
  });
});
