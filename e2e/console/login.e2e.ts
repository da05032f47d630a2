import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, logIn, newPage, startConsole, type Console } from './console.fixture.ts';

let product: Console;

beforeAll(async () => {
  product = await startConsole();
});

afterAll(() => product.stop());

it('a browser that opens the address of the server logs in and sees the instances of the demo', async () => {
  const page = await newPage(await product.browser.newContext());
  await page.goto(product.base);
  await logIn(page, { ...product.administrator, password: 'wrong' });
  await page.getByRole('alert').waitFor();
  await logIn(page, product.administrator);
  await page.getByRole('heading', { name: 'Instances' }).waitFor();
  await page.getByRole('row').nth(1).waitFor();
  await checked(page, [/401|403|400/]);
});

it('a program that asks for the address of the server still gets an answer for programs', async () => {
  const page = await product.visit();
  const answer = await page.request.get(product.base, { headers: { accept: 'application/json' } });
  expect(answer.status()).toBe(404);
});

it('a link into the console survives the login, with its filters', async () => {
  const path = `/o/${product.organizationId}/p/${product.projectId}/instances?q=web-1&sort=-age`;
  const page = await product.open(path);
  await page.getByRole('link', { name: 'web-1' }).waitFor();
  expect(page.url()).toBe(`${product.base}/console${path}`);
  await expect.poll(() => page.getByRole('link', { name: 'web-2' }).count()).toBe(0);
});

it('another name of the server leads to its public address', async () => {
  const page = await newPage(await product.browser.newContext());
  await page.goto(`${product.base.replace('127.0.0.1', 'localhost')}/console/settings`);
  await page.getByLabel('Email address').waitFor();
  await logIn(page, product.administrator);
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  expect(page.url()).toBe(`${product.base}/console/settings`);
  await checked(page, [/request to another server: http:\/\/localhost/]);
});

it('a page that is loaded again logs in without a login page, and no token is kept in the browser', async () => {
  const page = await product.open('/settings');
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
  expect(kept).not.toMatch(/token|eyJ/i);
});

it('a logout in one tab ends the other', async () => {
  const page = await product.open();
  await page.getByRole('heading', { name: 'Instances' }).waitFor();
  const other = await newPage(page.context());
  await other.goto(`${product.base}/console/settings`);
  await other.getByRole('heading', { name: 'Settings' }).waitFor();
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'You are logged out' }).waitFor();
  await other.getByRole('heading', { name: 'You are logged out' }).waitFor();
  await checked(page);
  await page.getByRole('link', { name: 'Log in' }).click();
  await page.getByLabel('Email address').waitFor();
});

it('an expired session is renewed in a window of its own, and the page stays as it is', async () => {
  const page = await product.open(`/o/${product.organizationId}/p/${product.projectId}/instances`);
  const filter = page.getByRole('searchbox');
  await filter.fill('web');
  await page.context().clearCookies();
  // A suspended or deleted session: the service refuses the token, and the silent login finds no session.
  await page.route('**/compute/**', (route) =>
    route.fulfill({ status: 401, json: { error: 'access_denied', error_description: 'the token is not valid' } }),
  );
  await page.getByRole('link', { name: 'web-1' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.waitFor();
  await page.unroute('**/compute/**');
  const popup = page.waitForEvent('popup');
  await dialog.getByRole('button', { name: 'Log in' }).click();
  await logIn(await popup, product.administrator);
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('heading', { name: 'web-1' }).waitFor();
});
