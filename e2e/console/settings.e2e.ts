import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, shareConsole, type Console } from './console.fixture.ts';

let product: Console;

beforeAll(async () => {
  product = await shareConsole();
});

afterAll(() => product.stop());

it('density changes rows and buttons of all pages, and is kept', async () => {
  const page = await product.open('/settings');
  const list = `${product.base}/console/o/${product.organizationId}/p/${product.projectId}/instances`;
  const heights = async () => {
    await page.goto(list);
    const row = await page.getByRole('row', { name: /web-1/ }).boundingBox();
    const button = await page.getByRole('button', { name: 'Columns' }).boundingBox();
    return [row?.height ?? 0, button?.height ?? 0] as const;
  };
  const [row, button] = await heights();
  await page.goto(`${product.base}/console/settings`);
  await page.getByRole('combobox', { name: 'Density' }).selectOption('Comfortable');
  await checked(page);
  const [tallRow, tallButton] = await heights();
  expect(tallRow).toBeGreaterThan(row);
  expect(tallButton).toBeGreaterThan(button);
  await checked(page);
  await page.getByRole('link', { name: 'web-1' }).click();
  await page.getByRole('heading', { name: 'web-1' }).waitFor();
  await checked(page);
});

it('a time zone changes every time, and a language can be chosen', async () => {
  const page = await product.open('/settings');
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await zone.selectOption('Asia/Tokyo');
  await page.getByText('GMT+9', { exact: false }).waitFor();
  await zone.selectOption('UTC');
  await page.getByText(/Now: .* UTC/).waitFor();
  await zone.selectOption('Asia/Tokyo');
  await checked(page);
  expect(await page.getByRole('combobox', { name: 'Language' }).locator('option').allTextContents()).toEqual([
    'English',
  ]);
  await page.goto(`${product.base}/console/o/${product.organizationId}/p/${product.projectId}/instances`);
  await page.getByRole('link', { name: 'web-1' }).click();
  await page.getByRole('heading', { name: 'web-1' }).waitFor();
  await page.getByRole('definition').locator('time').first().hover();
  await page.getByText(/GMT\+9/).waitFor();
});

it('times are by the clock of the server, also if that of the browser is wrong', async () => {
  const page = await product.open('/settings');
  await page.addInitScript('{ const now = Date.now; Date.now = () => now() + 20 * 60_000; }');
  await page.reload();
  await page.getByRole('combobox', { name: 'Time zone' }).selectOption('UTC');
  const shown = async () => {
    const text = (await page.getByText(/Now: .* UTC/).textContent()) ?? '';
    return Date.parse((/Now: (.*)/.exec(text)?.[1] ?? '').replace(',', ''));
  };
  const ahead = async () => (await page.evaluate<number>('Date.now()')) - (await shown());
  await expect.poll(async () => Math.round((await ahead()) / 60_000)).toBe(20);
});

it('with the colours of the system, the place and the states can still be seen', async () => {
  const page = await product.open(`/o/${product.organizationId}/p/${product.projectId}/instances`);
  await page.emulateMedia({ forcedColors: 'active' });
  const row = page.getByRole('row', { name: /web-1/ });
  const style = (selector: string, property: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}'))['${property}']`);
  await row.getByRole('checkbox').check();
  for (const chosen of ['[aria-current=page]', '[aria-pressed=true]', '[aria-selected=true]'])
    expect(await style(chosen, 'outlineStyle'), chosen).toBe('solid');
  const ground = await style('body', 'backgroundColor');
  expect(await style('[data-row] [aria-hidden]', 'backgroundColor')).not.toBe(ground);
});
