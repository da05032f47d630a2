import { once } from 'node:events';
import { createServer } from 'node:http';

import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

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
  const page = await product.visit(path);
  await logIn(page, product.administrator);
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

it.each(['ahead of', 'behind'])('a browser whose clock is days %s that of the server logs in', async (side) => {
  const page = await newPage(await product.browser.newContext());
  const now = await page.evaluate<number>('Date.now()');
  await page.clock.install({ time: now + (side === 'behind' ? -1 : 1) * 3 * 24 * 3_600_000 });
  await page.goto(`${product.base}/console/settings`);
  await logIn(page, product.administrator);
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
});

it.each(['the console', 'the login'])('a page of another server cannot show %s in a frame', async (what) => {
  const page = what === 'the login' ? await product.visit('/settings') : await product.open('/settings');
  await page
    .getByRole(what === 'the login' ? 'textbox' : 'heading')
    .first()
    .waitFor();
  const refusals: string[] = [];
  page.on('console', (message) => refusals.push(message.text()));
  await page.goto(await framing(page.url(), '/harmless'));
  await page.frameLocator('#frame-1').getByText('harmless').waitFor();
  await expect.poll(() => refusals.join()).toContain("frame-ancestors 'none'");
  const [, framed] = page.frames();
  expect(framed?.url()).toBe('chrome-error://chromewebdata/');
  expect(await framed?.locator('#root, form').count()).toBe(0);
});

/** The address of a server whose page shows these addresses in frames. It is at another port, so it is foreign. */
async function framing(...addresses: readonly string[]): Promise<string> {
  const sources = addresses.map((address) => address.replaceAll('&', '&amp;'));
  const frames = sources.map((source, place) => `<iframe id="frame-${place}" src="${source}"></iframe>`);
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(request.url === '/harmless' ? 'harmless' : frames.join(''));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
}

it('a logout in one tab ends the other', async () => {
  const page = await product.visit();
  await logIn(page, product.administrator);
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

it('a session that ends over a half-filled form loses nothing: the login is in a window of its own, and the request follows', async () => {
  const page = await product.open(`/o/${product.organizationId}/p/${product.projectId}/instances/new`);
  await page.getByRole('textbox', { name: 'Name' }).fill('patient');
  await page.getByRole('radio', { name: /sim-standard-4/ }).check();
  await page.getByRole('combobox', { name: 'Image' }).selectOption('debian-13-amd64');
  await page.getByRole('button', { name: 'Add tag' }).click();
  await page.getByLabel('Name of tag 1').fill('team');
  await page.getByLabel('Value of tag 1').fill('web');
  // A new password ends all sessions of the user, and the tokens that they gave.
  const { email: subject, password } = product.administrator;
  await product.api.identity.POST('/api/v1/passwords', { body: { subject, password } });
  await page.getByRole('button', { name: 'Create instance' }).click();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.waitFor();
  await checked(page, [/40\d/]);
  const popup = page.waitForEvent('popup');
  await dialog.getByRole('button', { name: 'Log in' }).click();
  await logIn(await popup, product.administrator);
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('heading', { name: 'patient' }).waitFor();
  await page.getByRole('definition').filter({ hasText: 'team=web' }).waitFor();
});
