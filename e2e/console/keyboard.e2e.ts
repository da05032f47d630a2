import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, shareConsole, type Console } from './console.fixture.ts';

let product: Console;

beforeAll(async () => {
  product = await shareConsole();
});

afterAll(() => product.stop());

it('the keyboard moves between pages and rows, and single keys can be turned off', async () => {
  const page = await product.open(`/o/${product.organizationId}/p/${product.projectId}/networks`);
  await page.getByRole('row', { name: /frontend/ }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await page.getByRole('heading', { name: 'Instances' }).waitFor();
  await page.getByRole('link', { name: 'web-1' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByRole('toolbar', { name: 'Actions on the selected instances' }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'web-2' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await checked(page);
  await page.keyboard.press('Escape');
  await page.goto(`${product.base}/console/settings`);
  await page.getByRole('checkbox', { name: 'Keyboard shortcuts with single keys' }).uncheck();
  await page.getByRole('heading', { name: 'Settings' }).click();
  await page.keyboard.press('?');
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  expect(page.url()).toContain('/settings');
});

it('what has the focus is never below the header', async () => {
  const page = await product.open('/settings');
  await page.setViewportSize({ width: 1280, height: 260 });
  await page.getByRole('link', { name: '/compute/docs' }).focus();
  const header = await page.getByRole('banner').boundingBox();
  const tops: number[] = [];
  // Back to the first field of the page.
  const label = () => page.evaluate<string>('document.activeElement.labels?.[0]?.textContent');
  for (let steps = 0; steps < 20 && (await label()) !== 'Theme'; steps++) {
    await page.keyboard.press('Shift+Tab');
    tops.push(await page.evaluate<number>('document.activeElement.getBoundingClientRect().top'));
  }
  expect(await label()).toBe('Theme');
  expect(Math.min(...tops)).toBeGreaterThanOrEqual(header?.height ?? 0);
});
