import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { run } from '../index.ts';
import { fakeTerminal, startProduct, type Product } from '../testing/product.ts';
import type { ReadClouds } from './region.ts';

let product: Product;
let folder: string;

beforeAll(async () => {
  product = await startProduct();
  folder = await mkdtemp(join(tmpdir(), 'unikorn-region-'));
  await writeFile(join(folder, 'clouds.yaml'), 'a file that the fake reader understands');
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** The reader of the executable, which this package does not have. */
const readClouds: ReadClouds = () =>
  Promise.resolve({
    settings: { endpoint: 'http://127.0.0.1:1/v3' },
    secret: { 'domain-name': 'd', 'project-name': 'p', 'user-name': 'u', password: 'a-hidden-password' },
  });

async function typed(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const terminal = fakeTerminal({ env: { UNIKORN_TOKEN: product.credentials.adminToken, ...env }, cwd: folder });
  const code = await run(args, terminal, { readClouds });
  return { code, ...terminal.written() };
}
const create = (name: string) => ['region', 'create', name, '--type', 'openstack', '--clouds-yaml', 'clouds.yaml'];

it('the credentials of a clouds.yaml go to the secrets of the server on this machine, and nowhere else', async () => {
  const made = await typed({ UNIKORN_STATE: product.state }, ...create('west'));
  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('unikorn region check west') as string });
  const secret = join(product.state, 'secrets/regions/west');
  expect((await readdir(secret)).toSorted()).toEqual(['domain-name', 'password', 'project-name', 'user-name']);
  expect(await readFile(join(secret, 'password'), 'utf8')).toBe('a-hidden-password');
  expect((await stat(join(secret, 'password'))).mode & 0o077).toBe(0);
  expect(made.stdout + made.stderr).not.toContain('a-hidden-password');
});

it('for a server elsewhere, the command says which secret to create, without the password', async () => {
  const made = await typed({ UNIKORN_URL: product.url, UNIKORN_STATE: product.state }, ...create('east'));
  expect(made).toMatchObject({ code: 0 });
  expect(made.stderr).toContain('kubectl create secret generic east -n regions');
  expect(made.stdout + made.stderr).not.toContain('a-hidden-password');
  expect(await readdir(join(product.state, 'secrets/regions'))).toEqual(['west']);
});

it('refuses the file for other types, and a check of a region that has none', async () => {
  const other = ['region', 'create', 'x', '--type', 'simulated', '--clouds-yaml', 'clouds.yaml'];
  expect(await typed({ UNIKORN_URL: product.url }, ...other)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--clouds-yaml is for --type openstack only') as string,
  });
  expect(await typed({ UNIKORN_URL: product.url }, 'region', 'check', 'north')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('only regions of the type openstack can be checked') as string,
  });
});

it('a check of a cloud that does not answer ends with 1', async () => {
  const checked = await typed({ UNIKORN_URL: product.url }, 'region', 'check', 'west');
  expect(checked.code).toBe(1);
  expect(checked.stdout).toContain('unknown  log in to the domain');
});
