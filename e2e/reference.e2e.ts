import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { Unikorn } from '../packages/unikorn/src/unikorn.fixture.ts';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

let browser: Browser;
let unikorn: Unikorn;

beforeAll(async () => {
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'] });
  unikorn = new Unikorn(['serve', '--port', '0', '--ephemeral', '--log-level', 'silent']);
});

afterAll(async () => {
  await browser.close();
  await unikorn.kill('SIGTERM');
});

it('the API reference shows and tries operations without reaching any other host', async () => {
  const base = await unikorn.ready();
  const page = await browser.newPage();
  const elsewhere: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith('data:')) elsewhere.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${base}/parking/docs/`);
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.getByLabel('auth-bearer-value').fill(unikorn.credentials().token);
  await page.getByRole('button', { name: 'Apply credentials' }).click();
  await page.getByRole('button', { name: 'Close' }).first().click();
  await page.getByRole('button').filter({ hasText: 'List permits' }).click();
  await page.getByRole('button', { name: 'Try it out' }).click();
  await page.getByRole('button', { name: 'Execute' }).click();
  await page.getByText('uni-1').first().waitFor();
  expect(elsewhere).toEqual([]);
  expect(complaints).toEqual([]);
});
