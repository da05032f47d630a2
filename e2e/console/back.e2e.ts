import { setTimeout } from 'node:timers/promises';

import { dataOf } from '@unikorn/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { shareConsole } from './console.fixture.ts';
import { createInstances, setQuota } from './furnish.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;

/** Far more than are drawn at once. */
const many = 300;

beforeAll(async () => {
  product = await shareConsole();
  const { organizationId, projectId, networkId, api } = product;
  const { flavorId = '', imageId = '' } = product.credentials;
  await setQuota(api, organizationId, { servers: many + 10 });
  const names = Array.from({ length: many }, (_unused, index) => `row-${String(index).padStart(3, '0')}`);
  const spec = { organizationId, projectId, networkId, flavorId, imageId };
  for (let at = 0; at < many; at += 20) await createInstances(api, names.slice(at, at + 20), spec);
}, 300_000);

afterAll(() => product.stop());

it('back restores filter, order, place and selection of a long list', async () => {
  const page = await product.open(`/o/${product.organizationId}/p/${product.projectId}/instances`);
  await page.getByRole('searchbox').fill('row');
  await page.getByRole('button', { name: `All ${many}` }).waitFor();
  await page.getByRole('button', { name: 'Sort by Name' }).click();
  await page.getByRole('row', { name: /row-299/ }).waitFor();
  await page.getByLabel('Select row-298', { exact: true }).check();
  await page.getByRole('table').hover();
  const isDrawn = async () => {
    await page.mouse.wheel(0, 600);
    return (await page.getByRole('link', { name: 'row-150' }).count()) > 0;
  };
  await expect.poll(isDrawn).toBe(true);
  const row = page.getByRole('row', { name: /row-150/ });
  await row.getByRole('checkbox').check();
  await row.scrollIntoViewIfNeeded();
  const before = await row.boundingBox();
  await row.getByRole('link', { name: 'row-150' }).click();
  await page.getByRole('heading', { name: 'row-150' }).waitFor();

  const isAsBefore = async () => {
    await page.getByText('2 selected').waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe('row');
    await expect.poll(async () => Math.round((await row.boundingBox())?.y ?? 0)).toBe(Math.round(before?.y ?? -1));
    expect(await row.getByRole('checkbox').isChecked()).toBe(true);
    expect(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('descending');
  };
  await page.goBack();
  await isAsBefore();
  // Also if the list has to be read again, and comes long after the page.
  await page.goForward();
  await page.getByRole('heading', { name: 'row-150' }).waitFor();
  await page.route(/\/compute\/api\/v2\/instances\?/, async (route) => {
    await setTimeout(2_000);
    await route.continue();
  });
  await page.reload();
  await page.getByRole('heading', { name: 'row-150' }).waitFor();
  await page.goBack();
  await isAsBefore();
});

it('back finds the place of a long page again that comes late', async () => {
  const { organizationId, api } = product;
  for (let number = 0; number < 50; number += 1)
    await dataOf(
      api.identity.POST('/api/v1/organizations/{organizationID}/projects', {
        params: { path: { organizationID: organizationId } },
        body: { metadata: { name: `long-${number}` }, spec: { groupIDs: [] } },
      }),
    );
  const page = await product.open(`/o/${organizationId}/projects`);
  await page.getByRole('row', { name: /long-9\b/ }).waitFor();
  await page.evaluate('scrollTo(0, 600)');
  await page.getByRole('link', { name: 'Groups', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Groups' }).waitFor();
  expect(await page.evaluate('scrollY')).toBe(0);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Groups' }).waitFor();
  await page.route(/\/projects(\?|$)/, async (route) => {
    await setTimeout(2_000);
    await route.continue();
  });
  await page.goBack();
  await expect.poll(() => page.evaluate('scrollY')).toBe(600);
});
