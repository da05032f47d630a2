import { dataOf } from '@unikorn/sdk';
import type { Page, WebSocketRoute } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, logIn, shareConsole, type Console } from './console.fixture.ts';

let product: Console;

beforeAll(async () => {
  product = await shareConsole();
});

afterAll(() => product.stop());

async function consoleOf(name: string): Promise<{ readonly id: string; readonly path: string }> {
  const query = { projectID: [product.projectId] };
  const instances = await dataOf(product.api.compute.GET('/api/v2/instances', { params: { query } }));
  const id = instances.find(({ metadata }) => metadata.name === name)?.metadata.id ?? '';
  return { id, path: `/o/${product.organizationId}/p/${product.projectId}/instances/${id}/console` };
}

/** The text of the terminal as screen readers get it. */
function screen(page: Page) {
  return page.getByRole('group', { name: 'Serial console of' });
}

async function shows(page: Page, text: string | RegExp): Promise<void> {
  await screen(page).getByText(text).first().waitFor({ timeout: 60_000 });
}

async function logInAtConsole(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect' }).click();
  await shows(page, /login:/);
  await page.keyboard.type('root\r');
  await shows(page, /Password:/);
  await page.keyboard.type('secret\r');
  await shows(page, /Welcome/);
}

it('a user logs in at the serial console, searches and copies its text, and leaves it with the keyboard', async () => {
  const { id, path } = await consoleOf('web-1');
  const page = await product.open(path);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('status').filter({ hasText: 'Not connected' }).waitFor();
  const before = await dataOf(
    product.api.compute.GET('/api/v2/instances/{instanceID}/history', { params: { path: { instanceID: id } } }),
  );
  expect(before.some(({ action }) => action === 'terminal')).toBe(false);
  await checked(page);
  await logInAtConsole(page);
  await page.keyboard.type('hostname\r');
  await shows(page, /^web-1$/);
  await page.keyboard.press('Tab');
  expect(await page.evaluate<string>('document.activeElement?.tagName')).toBe('TEXTAREA');
  await page.keyboard.press('Control+]');
  await expect.poll(() => page.evaluate<boolean>("document.activeElement?.textContent === 'Disconnect'")).toBe(true);
  await checked(page);
  await page.getByRole('checkbox', { name: /screen readers/ }).check();
  await page.getByRole('listitem').filter({ hasText: 'Welcome' }).first().waitFor();
  await checked(page);
  await page.getByRole('searchbox', { name: 'Search the text' }).fill('Welcome');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe('Welcome');
  await page.getByRole('searchbox', { name: 'Search the text' }).fill('not in the text');
  await page.keyboard.press('Enter');
  await page.getByText('The text is not there.').waitFor();
  await page.getByRole('button', { name: 'Fill the window' }).click();
  await checked(page);
  const after = await dataOf(
    product.api.compute.GET('/api/v2/instances/{instanceID}/history', { params: { path: { instanceID: id } } }),
  );
  expect(after.some(({ action }) => action === 'terminal')).toBe(true);
});

it('when the connection breaks, the text stays, the page says so, and the terminal works again', async () => {
  const { path } = await consoleOf('web-2');
  const page = await product.visit(path);
  const lines: WebSocketRoute[] = [];
  await page.routeWebSocket(/\/terminal$/, (line) => {
    lines.push(line);
    line.connectToServer();
  });
  await logIn(page, product.administrator);
  await logInAtConsole(page);
  await lines.at(-1)?.close({ code: 1011 });
  await shows(page, /the connection broke at .*; connected again/);
  await page.keyboard.type('whoami\r');
  await shows(page, /^root$/);
  expect(
    await screen(page)
      .getByText(/Welcome/)
      .count(),
  ).toBe(1);
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('heading', { name: 'What it needs' }).waitFor();
  await page.getByRole('link', { name: 'Console', exact: true }).click();
  await shows(page, /Welcome/);
  await page.getByRole('status').filter({ hasText: 'Not connected' }).waitFor();
});

it('the text stays after the machine stops, and what the machine wrote is read on request', async () => {
  const { id, path } = await consoleOf('web-1');
  const page = await product.open(path);
  await page.getByRole('button', { name: 'Connect' }).click();
  await shows(page, /multi-user.target/);
  await product.api.compute.POST('/api/v2/instances/{instanceID}/stop', { params: { path: { instanceID: id } } });
  await page.getByText('stopped', { exact: true }).first().waitFor({ timeout: 60_000 });
  await page.getByRole('alert').filter({ hasText: 'The machine has stopped' }).waitFor({ timeout: 60_000 });
  await shows(page, /multi-user.target/);
  await page.getByRole('button', { name: 'Read the output' }).click();
  await expect.poll(() => page.getByLabel('Console output').last().textContent()).toContain('Linux version');
  await checked(page);
});
