import { readFile, writeFile } from 'node:fs/promises';

import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';

import { temporaryFolder } from '../packages/unikorn/src/unikorn.fixture.ts';
import { Sitting } from './cli.fixture.ts';
import { startProduct } from './product.fixture.ts';

let product: Awaited<ReturnType<typeof startProduct>>;
let home: ReturnType<typeof temporaryFolder>;
let base: string;

beforeAll(async () => {
  product = await startProduct();
  base = await product.unikorn.ready();
});

afterAll(() => product.stop());

beforeEach(() => {
  home = temporaryFolder();
});

afterEach(() => {
  home.remove();
});

const sit = (...args: readonly string[]) => new Sitting(args, { HOME: home.path, XDG_CONFIG_HOME: home.path });
const loginAddress = /http:\S+authorization\?\S+/;

/** Opens the URL in a new browser session without a login, and logs in as the administrator. */
async function logInAt(address: string): Promise<Page> {
  const context = await product.browser.newContext();
  const page = await context.newPage();
  await page.goto(address);
  await fillIn(page);
  return page;
}

async function fillIn(page: Page): Promise<void> {
  const { administrator } = product.unikorn.credentials();
  await page.getByLabel('Email address').fill(administrator.email);
  await page.getByLabel('Password').fill(administrator.password ?? '');
}

async function who(): Promise<unknown> {
  const { stdout } = await sit('status', '-o', 'json').ended;
  return (JSON.parse(stdout) as { readonly who: unknown }).who;
}

it('a user logs in through the browser, stays logged in when several commands renew the token at once, and is logged out after logging out', async () => {
  const login = sit('login', base);
  const page = await logInAt(await login.told(loginAddress));
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'You are logged in' }).waitFor();
  expect(await login.ended).toMatchObject({ code: 0, stdout: '' });
  expect(await who()).toEqual({ subject: 'admin@example.com', type: 'user' });

  const file = `${home.path}/unikorn/config.yaml`;
  await writeFile(
    file,
    (await readFile(file, 'utf8')).replace(/expiresAt: \S+/, 'expiresAt: 2020-01-01T00:00:00.000Z'),
  );
  expect(await Promise.all([who(), who(), who()])).toEqual(
    Array(3).fill({ subject: 'admin@example.com', type: 'user' }),
  );

  const [token = ''] = /(?<=accessToken: )\S+/.exec(await readFile(file, 'utf8')) ?? [];
  const ask = () =>
    page.request.get(`${base}/identity/oauth2/v2/userinfo`, { headers: { authorization: `Bearer ${token}` } });
  expect((await ask()).status()).toBe(200);
  expect((await sit('logout').ended).code).toBe(0);
  expect((await ask()).status()).toBe(401);
  expect((await sit('status').ended).code).toBe(5);
});

it('without a browser on the same machine, a code is typed on another device', async () => {
  const login = new Sitting(['login', base], {
    HOME: home.path,
    XDG_CONFIG_HOME: home.path,
    BROWSER: '',
    DISPLAY: '',
    WAYLAND_DISPLAY: '',
    WSL_DISTRO_NAME: '',
  });
  const address = await login.told(/http:\S+\/device(?=\s)/);
  const code = await login.told(/[A-Z]{4}-[A-Z]{4}/);
  const page = await (await product.browser.newContext()).newPage();
  await page.goto(address);
  await page.getByLabel('Code that the device shows').fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText(code).waitFor();
  await page.getByRole('button', { name: 'Log in' }).click();
  await fillIn(page);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'The device is logged in' }).waitFor();
  expect((await login.ended).code).toBe(0);
  expect(await who()).toEqual({ subject: 'admin@example.com', type: 'user' });
});
