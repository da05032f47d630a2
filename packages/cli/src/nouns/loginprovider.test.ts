import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { cliOn, environmentOf, fakeTerminal, startProduct, type Product, type Ran } from '../testing/product.ts';

let product: Product;
let folder: string;
/** Everything that the commands of this file printed. */
let printed = '';

beforeAll(async () => {
  product = await startProduct();
  folder = await mkdtemp(join(tmpdir(), 'unikorn-loginprovider-'));
  await writeFile(join(folder, 'secret.txt'), 'a-hidden-secret\n');
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function run(args: string, terminal: { readonly input?: string; readonly interactive?: boolean } = {}) {
  const ran: Ran = await cliOn(
    fakeTerminal({ env: environmentOf(product), cwd: folder, ...terminal }),
    ...args.split(' '),
  );
  printed += ran.stdout + ran.stderr;
  return ran;
}

const settings = '--issuer https://login.acme.example --client-id unikorn';

it('is created, listed, changed and deleted, and its secret is never shown', async () => {
  expect(await run(`loginprovider create corporate ${settings} --client-secret secret.txt`)).toMatchObject({ code: 0 });
  expect((await run('oauth2providers')).stdout).toMatch(
    /^NAME +STATUS +TYPE +ISSUER +CLIENT-ID +AGE\ncorporate +provisioned +- +https:\/\/login\.acme\.example +unikorn /,
  );
  expect(await run('loginprovider update corporate --type google --client-secret secret.txt')).toMatchObject({
    code: 0,
    stderr: 'loginprovider corporate updated\n',
  });
  const shown = await run('loginprovider get corporate -o json');
  expect(JSON.parse(shown.stdout)).toMatchObject({
    kind: 'loginprovider',
    spec: { type: 'google', issuer: 'https://login.acme.example', clientID: 'unikorn' },
  });
  expect(await run('loginprovider delete corporate --yes')).toMatchObject({ code: 0 });
  expect((await run('loginprovider list -o name')).stdout).toBe('');
  expect(printed).not.toContain('a-hidden-secret');
});

it('takes its secret from standard input, and asks for it in a terminal without echo', async () => {
  const create = (name: string) => `loginprovider create ${name} ${settings} --client-secret -`;
  expect(await run(create('piped'), { input: 'a-hidden-secret\n' })).toMatchObject({ code: 0 });
  const typed = await run(create('typed'), { input: 'a-hidden-secret\n', interactive: true });
  expect(typed).toMatchObject({ code: 0, stderr: expect.stringContaining('client secret: \n') as string });
  expect(await run(create('empty'), { input: '' })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('there is no client secret in the first line of standard input') as string,
  });
  expect(await run(`${create('silent')} --no-input`, { interactive: true })).toMatchObject({ code: 2 });
  expect(printed).not.toContain('a-hidden-secret');
  expect(await run('loginprovider delete piped typed --yes')).toMatchObject({ code: 0 });
});

it('sends the first line of the file as the secret, because no service returns it', async () => {
  const sent: unknown[] = [];
  const metadata = { id: '4f1c7d0e-3c0a-4d55-9b06-0e6a3f1b2c3d', name: 'any' };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method === 'POST') sent.push(JSON.parse(body));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(request.method === 'POST' ? { metadata, spec: {} } : [{ metadata }]));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const create = `loginprovider create corporate ${settings} --client-secret secret.txt --no-wait`;
  const terminal = fakeTerminal({ env: { UNIKORN_URL: url, UNIKORN_TOKEN: 'token' }, cwd: folder });
  expect(await cliOn(terminal, ...create.split(' '))).toMatchObject({ code: 0 });
  server.close();
  expect(sent).toMatchObject([{ spec: { clientID: 'unikorn', clientSecret: 'a-hidden-secret' } }]);
});

it('refuses a secret as an argument, and does not repeat it', async () => {
  expect(await run(`loginprovider create wrong ${settings} --client-secret a-hidden-secret`)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('can be seen by every user of this machine') as string,
  });
  expect(printed).not.toContain('a-hidden-secret');
});

it('a refusal names the flag', async () => {
  const refused = await run('loginprovider create wrong --issuer http://login.acme.example --client-id unikorn');
  expect(refused.stderr).toContain('--issuer: must be an https URL');
});

it('can be in a file; its secret is sent when it is created, and neither compared nor shown', async () => {
  const manifest = (spec: string) =>
    writeFile(join(folder, 'provider.yaml'), `kind: loginprovider\nmetadata: {name: filed}\nspec: {${spec}}\n`);
  const first = 'issuer: https://login.acme.example, clientID: unikorn, clientSecret: a-hidden-secret';
  await manifest(first);
  const before = await run('diff -f provider.yaml');
  expect(before).toMatchObject({ code: 1, stdout: expect.stringContaining('clientSecret: (not shown)') as string });
  expect(await run('apply -f provider.yaml')).toMatchObject({ code: 0 });
  expect(await run('diff -f provider.yaml')).toMatchObject({ code: 0, stdout: '' });
  await manifest(first.replace('clientID: unikorn', 'clientID: other'));
  const after = await run('diff -f provider.yaml');
  expect(after.stdout).toContain('+  clientID: other\n');
  expect(after.stdout).not.toContain('clientSecret');
  expect(await run('apply -f provider.yaml')).toMatchObject({ code: 0 });
  const { stdout } = await run('loginprovider get filed -o yaml');
  await writeFile(join(folder, 'read.yaml'), stdout);
  expect(await run('diff -f read.yaml')).toMatchObject({ code: 0, stdout: '' });
  expect(printed).not.toContain('a-hidden-secret');
});
