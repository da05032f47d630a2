import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { addConsole, type Progress } from './index.ts';
import { noncePlaceholder } from './index-page.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'console-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(
    join(folder, 'index.html'),
    `<meta name="unikorn-public-url" content="%PUBLIC_URL%"><meta property="csp-nonce" nonce="${noncePlaceholder}">`,
  );
  writeFileSync(join(folder, 'assets/a-1.js'), 'plain');
  writeFileSync(join(folder, 'assets/a-1.js.br'), 'brotli');
  writeFileSync(join(folder, 'assets/a-1.js.gz'), 'gzip');
  writeFileSync(join(folder, 'source-hash'), 'hash');
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function served(progress: Progress = { state: 'ready' }) {
  let nonces = 0;
  const app = fastify();
  addConsole(app, {
    publicUrl: 'https://cloud.example.com',
    preparation: { progress },
    nonce: () => `nonce${(nonces += 1)}`,
    folder,
  });
  return app;
}

it('every path is a page with its own nonce and the public address', async () => {
  const app = served();
  const { body, headers } = await app.inject('/console/o/1/p/2/instances?q=web');
  expect(body).toBe(
    '<meta name="unikorn-public-url" content="https://cloud.example.com"><meta property="csp-nonce" nonce="nonce1">',
  );
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src-elem 'self' 'nonce-nonce1'; style-src-attr 'none'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'",
  });
  expect((await app.inject('/console/')).headers['content-security-policy']).toContain('nonce-nonce2');
});

it('files come in the best encoding that the client accepts, and are kept for ever', async () => {
  const app = served();
  const get = async (accepted: string) => {
    const { body, headers } = await app.inject({
      url: '/console/assets/a-1.js',
      headers: { 'accept-encoding': accepted },
    });
    return [body, headers['content-encoding'], headers['cache-control'], headers['vary']];
  };
  const always = ['public, max-age=31536000, immutable', 'Accept-Encoding'];
  expect(await get('gzip, deflate, br')).toEqual(['brotli', 'br', ...always]);
  expect(await get('gzip;q=1.0, br;q=0')).toEqual(['gzip', 'gzip', ...always]);
  expect(await get('identity')).toEqual(['plain', undefined, ...always]);
});

it.each(['assets/missing.js', 'assets/..%2Fsource-hash', 'assets/../source-hash', 'assets/a-1.js.map'])(
  'there is no file %s',
  async (name) => {
    const { statusCode, body } = await served().inject(`/console/${name}`);
    expect(body).not.toBe('hash');
    if (name !== 'assets/../source-hash') expect(statusCode).toBe(404);
  },
);

it('until the pages are built, a page says so and loads itself again', async () => {
  const { body, headers } = await served({ state: 'preparing', step: 'bundling' }).inject('/console/');
  expect(body).toContain('The console is being prepared');
  expect(body).toContain('bundling');
  expect(body).toContain('http-equiv="refresh"');
  expect(headers['cache-control']).toBe('no-cache');
});

it('a failed build is shown, and does not run as markup', async () => {
  const { body } = await served({ state: 'failed', failure: 'no <b>file</b>' }).inject('/console/');
  expect(body).toContain('no &lt;b>file&lt;/b>');
  expect(body).not.toContain('refresh');
});
