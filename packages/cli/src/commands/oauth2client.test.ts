import { afterAll, beforeAll, expect, it } from 'vitest';

import { cliOn, fakeTerminal, startProduct, type Product } from '../testing/product.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct();
});

afterAll(() => product[Symbol.asyncDispose]());

const run = (...args: readonly string[]) =>
  cliOn(fakeTerminal({ env: { UNIKORN_URL: product.url, UNIKORN_TOKEN: product.credentials.adminToken } }), ...args);

it('an application is registered, shown, changed, given a new secret, and deleted', async () => {
  const callback = 'https://console.example.com/oauth2/callback';
  const made = await run('oauth2client', 'create', 'console', '--redirect-uri', callback);
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[\w-]{43}\n$/) as string });
  expect(made.stderr).toContain('this secret is not shown again');
  expect((await run('oauth2client', 'list')).stdout).toMatch(
    /console\s.*confidential\s+https:\/\/console\.example\.com\/oauth2\/callback/,
  );

  expect(
    await run(
      'oauth2client',
      'update',
      'console',
      '--redirect-uri',
      callback,
      '--redirect-uri',
      'http://localhost:3000/callback',
      '--login-uri',
      'https://console.example.com/login',
    ),
  ).toMatchObject({ code: 0 });
  const shown = JSON.parse((await run('oauth2client', 'get', 'console', '-o', 'json')).stdout) as {
    readonly spec: object;
    readonly status: object;
  };
  expect(shown).toMatchObject({
    spec: {
      type: 'confidential',
      redirectUris: [callback, 'http://localhost:3000/callback'],
      loginUri: 'https://console.example.com/login',
    },
    status: {},
  });

  const rotated = await run('oauth2client', 'rotate-secret', 'console', '--yes');
  expect(rotated).toMatchObject({ code: 0, stdout: expect.stringMatching(/^[\w-]{43}\n$/) as string });
  expect(rotated.stdout).not.toBe(made.stdout);
  expect(await run('oauth2client', 'delete', 'console', '--yes')).toMatchObject({ code: 0 });
  expect((await run('oauth2client', 'list', '-o', 'name')).stdout).toBe('');
});

it('its mistakes are reported', async () => {
  const refused = await run('oauth2client', 'create', 'console', '--redirect-uri', 'http://console.example.com/');
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain('must begin with https://');
});
