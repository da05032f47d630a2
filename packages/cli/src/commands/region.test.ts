import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { healthySimulation } from '@unikorn/sdk';

import { run } from '../index.ts';
import { cliOn, fakeTerminal, startProduct, type Product } from '../testing/product.ts';
import type { ReadClouds } from './region.ts';

let product: Product;
let folder: string;

beforeAll(async () => {
  product = await startProduct('--monitor-period', '1');
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

const asPlatform = (...args: readonly string[]) =>
  cliOn(fakeTerminal({ env: { UNIKORN_URL: product.url, UNIKORN_TOKEN: product.credentials.adminToken } }), ...args);
const settings = async (name: string): Promise<unknown> =>
  JSON.parse((await asPlatform('region', 'simulation', name, '-o', 'json')).stdout);

it('the settings of a simulated region are shown, changed and reset', async () => {
  expect(await asPlatform('region', 'create', 'lab', '--type', 'simulated')).toMatchObject({ code: 0 });
  // The SDK has a copy of the settings of a new region, because the API cannot be asked for them.
  const before = await settings('lab');
  expect(before).toMatchObject(healthySimulation);
  const simulation = (...args: readonly string[]) => asPlatform('region', 'simulation', 'lab', ...args);
  const changed = await simulation('--set', 'call_ms=200', '--set', 'errorRate=0.1', '--set', 'places.sim-gpu-8=2');
  expect(changed).toMatchObject({ code: 0, stderr: 'the simulation of region lab is changed\n' });
  expect(changed.stdout).toMatch(/^NAME +VALUE +MEANING\ncall_ms +200 +response time of each call\n/);
  expect(changed.stdout).toMatch(/^errorRate +0\.1 /m);
  expect(changed.stdout).toMatch(/^places\.sim-gpu-8 +2 /m);
  expect((await simulation()).stdout).toBe(changed.stdout);

  const down = await simulation('--down', '--yes');
  expect(down.stderr).toContain('bring it back: unikorn region simulation lab --up\n');
  expect(await settings('lab')).toMatchObject({ service: 'down', call_ms: 200 });
  expect(await simulation('--up')).toMatchObject({ code: 0 });
  expect(await simulation('--reset', '--set', 'places.sim-gpu-8=')).toMatchObject({ code: 0 });
  expect(await settings('lab')).toEqual(before);
});

it('mistakes in the settings of a simulation name the known ones, and change nothing', async () => {
  const simulation = (...args: readonly string[]) => asPlatform('region', 'simulation', 'north', ...args);
  const before = await settings('north');
  const unknown = await simulation('--set', 'call_ms=1', '--set', 'slowness=1');
  expect(unknown).toMatchObject({ code: 2, stdout: '' });
  expect(unknown.stderr).toMatch(/there is no setting slowness\nthere are call_ms, .*errorRate.*places\.FLAVOR\n/);
  expect(await simulation('--set', 'errorRate=2')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('errorRate') as string,
  });
  expect(await simulation('--up', '--down')).toMatchObject({ code: 2 });
  expect(await settings('north')).toEqual(before);
  expect((await asPlatform('region', 'simulation', 'east')).stderr).toContain('only simulated regions');
});

it('a machine is changed without the control plane, which notices it', async () => {
  const instance = async () => (await asPlatform('instance', 'get', 'web-1', '-o', 'json')).stdout;
  await expect.poll(instance, { timeout: 60_000 }).toContain('"powerState": "Running"');
  const drifted = await asPlatform('region', 'drift', 'north', 'web-1', '--as', 'stopped', '--yes');
  expect(drifted).toMatchObject({ code: 0, stdout: '' });
  expect(drifted.stderr).toMatch(
    /^the machine of instance web-1 in region north is stopped\n.*unikorn instance watch web-1\n$/,
  );
  await expect.poll(instance, { timeout: 120_000 }).toContain('"powerState": "Stopped"');
  expect(await asPlatform('region', 'drift', 'north', 'web-9', '--as', 'stopped', '--yes')).toMatchObject({ code: 4 });
  expect(await asPlatform('region', 'drift', 'north', 'web-1', '--as', 'lost')).toMatchObject({ code: 2 });
}, 200_000);
