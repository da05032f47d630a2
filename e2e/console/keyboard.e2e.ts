import { dataOf } from '@unikorn/sdk';
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

it('the row that takes the place of a deleted one gets its focus', async () => {
  const { organizationId, projectId, api } = product;
  const { regionId = '' } = product.credentials;
  const ids: string[] = [];
  for (const name of ['a-first', 'a-second', 'a-third']) {
    const spec = { organizationId, projectId, regionId, prefix: '10.1.0.0/24', dnsNameservers: [] };
    const { metadata } = await dataOf(api.region.POST('/api/v2/networks', { body: { metadata: { name }, spec } }));
    ids.push(metadata.id);
  }
  const page = await product.open(`/o/${organizationId}/p/${projectId}/networks`);
  await page.getByRole('row', { name: /a-third/ }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  const focused = () => page.evaluate<string>('document.activeElement.textContent');
  await expect.poll(focused).toContain('a-second');
  await api.region.DELETE('/api/v2/networks/{networkID}', { params: { path: { networkID: ids[1] ?? '' } } });
  await expect.poll(focused).toContain('a-third');
});

it('a row is not opened by selecting its text, and is opened in a tab by Ctrl and a click', async () => {
  const page = await product.open(`/o/${product.organizationId}/p/${product.projectId}/networks`);
  const row = page.getByRole('row', { name: /frontend/ });
  const prefix = row.getByText('10.0.0.0/24');
  const box = await prefix.boundingBox();
  const middle = (box?.y ?? 0) + (box?.height ?? 0) / 2;
  await page.mouse.move((box?.x ?? 0) + 2, middle);
  await page.mouse.down();
  await page.mouse.move((box?.x ?? 0) + 40, middle, { steps: 5 });
  await page.mouse.up();
  expect(await page.evaluate('String(getSelection())')).not.toBe('');
  const [other] = await Promise.all([
    page.context().waitForEvent('page'),
    row.getByText('north').click({ modifiers: ['Control'] }),
  ]);
  await other.getByRole('heading', { level: 1, name: 'frontend' }).waitFor();
  await page.getByRole('heading', { level: 1, name: 'Networks' }).waitFor();
});
