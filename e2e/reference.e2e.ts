import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startProduct } from './product.fixture.ts';

let product: Awaited<ReturnType<typeof startProduct>>;

beforeAll(async () => {
  product = await startProduct();
});

afterAll(() => product.stop());

/** A page with a record of its requests to other hosts and its errors. */
async function watchedPage(base: string): Promise<{ page: Page; elsewhere: string[]; complaints: string[] }> {
  const page = await product.browser.newPage();
  const elsewhere: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith('data:')) elsewhere.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, elsewhere, complaints };
}

async function execute(page: Page, summary: string): Promise<void> {
  await page.getByRole('button').filter({ hasText: summary }).click();
  await page.getByRole('button', { name: 'Try it out' }).click();
  await page.getByRole('button', { name: 'Execute' }).click();
}

it('the API reference tries operations with a pasted token, without reaching any other host', async () => {
  const base = await product.unikorn.ready();
  const { page, elsewhere, complaints } = await watchedPage(base);
  await page.goto(`${base}/region/docs/`);
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.getByLabel('auth-bearer-value').fill(product.unikorn.credentials().token ?? '');
  await page.getByRole('button', { name: 'Apply credentials' }).click();
  await page.getByRole('button', { name: 'Close' }).first().click();
  await execute(page, 'List the networks that you may read');
  await page.getByText('frontend').first().waitFor();
  expect({ elsewhere, complaints }).toEqual({ elsewhere: [], complaints: [] });
});

it('the administrator logs in on the login page and acts with the token that comes back', async () => {
  const base = await product.unikorn.ready();
  const { administrator } = product.unikorn.credentials();
  const { page, elsewhere, complaints } = await watchedPage(base);
  await page.goto(`${base}/identity/docs/`);
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const [login] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('button', { name: 'Apply given OAuth2 credentials' }).click(),
  ]);
  await login.getByLabel('Email address').fill(administrator.email);
  await login.getByLabel('Password').fill('not the password');
  await login.getByRole('button', { name: 'Log in' }).click();
  await login.getByRole('alert').waitFor();
  await login.getByLabel('Email address').fill(administrator.email);
  await login.getByLabel('Password').fill(administrator.password ?? '');
  await login.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('Authorized', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Close' }).first().click();
  await execute(page, 'List the organizations you belong to');
  await page.getByText('"demo"').first().waitFor();
  expect({ elsewhere, complaints }).toEqual({ elsewhere: [], complaints: [] });
});
