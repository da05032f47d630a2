import { dataOf } from '@unikorn/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, shareConsole } from './console.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;
let names: Readonly<Record<'first' | 'second', string>>;

beforeAll(async () => {
  product = await shareConsole();
  const { organizationId, projectId, api, credentials } = product;
  const regionId = credentials.secondaryRegionId ?? '';
  await dataOf(
    api.region.POST('/api/v2/networks', {
      body: {
        metadata: { name: 'remote' },
        spec: { organizationId, projectId, regionId, prefix: '10.2.0.0/24', dnsNameservers: [] },
      },
    }),
  );
  const regions = await dataOf(
    api.compute.GET('/api/v1/organizations/{organizationID}/regions', {
      params: { path: { organizationID: organizationId } },
    }),
  );
  const nameOf = (id: string | undefined) => regions.find(({ metadata }) => metadata.id === id)?.metadata.name ?? '';
  names = { first: nameOf(credentials.regionId), second: nameOf(regionId) };
});

afterAll(() => product.stop());

const list = (noun: string) => `/o/${product.organizationId}/p/${product.projectId}/${noun}`;

/** The names of the rows, without the header. */
async function rowsOf(page: Page): Promise<readonly string[]> {
  const rows = await page
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .all();
  return Promise.all(rows.map(async (row) => (await row.getByRole('cell').allInnerTexts()).find(Boolean) ?? ''));
}

function regionOf(page: Page): string | null {
  return new URL(page.url()).searchParams.get('region');
}

async function choose(page: Page, region: string): Promise<void> {
  await page.getByRole('combobox', { name: /^Region:/ }).click();
  await page.getByRole('option', { name: region }).click();
}

it('the region limits every list, and stays on the way from list to list, until it is cleared', async () => {
  const { regionId = '', secondaryRegionId = '' } = product.credentials;
  const page = await product.open(list('networks'));
  await expect.poll(() => rowsOf(page)).toEqual(['frontend', 'remote']);
  await choose(page, names.second);
  await expect.poll(() => rowsOf(page)).toEqual(['remote']);
  expect(regionOf(page)).toBe(secondaryRegionId);
  await checked(page);

  const rail = page.getByRole('navigation', { name: 'Main navigation' });
  await rail.getByRole('link', { name: 'Instances', exact: true }).click();
  await page.getByText('The filter on the region hides 2 entries.').waitFor();
  expect(regionOf(page)).toBe(secondaryRegionId);
  await checked(page);
  await page.getByRole('button', { name: 'Show all regions' }).click();
  await expect.poll(() => rowsOf(page)).toEqual(['web-1', 'web-2']);
  expect(regionOf(page)).toBeNull();
  await page.goBack();
  await page.getByText('The filter on the region hides 2 entries.').waitFor();
  await page.goBack();
  await expect.poll(() => rowsOf(page)).toEqual(['remote']);
  await page.goBack();
  await expect.poll(() => rowsOf(page)).toEqual(['frontend', 'remote']);

  await choose(page, names.first);
  await rail.getByRole('link', { name: 'Security groups' }).click();
  await expect.poll(() => rowsOf(page)).toEqual(['web']);
  await rail.getByRole('link', { name: 'Images' }).click();
  await page.getByRole('heading', { name: 'Images' }).waitFor();
  await expect.poll(async () => (await rowsOf(page)).length).toBeGreaterThan(0);
  expect(await page.getByRole('cell', { name: names.second, exact: true }).count()).toBe(0);
  for (const noun of ['Load balancers', 'File storage', 'All instances']) {
    await rail.getByRole('link', { name: noun }).click();
    await page.getByRole('heading', { name: noun, exact: true }).waitFor();
    expect(regionOf(page), noun).toBe(regionId);
    await page.getByRole('combobox', { name: `Region: ${names.first}` }).waitFor();
  }
});

it('the region stays with the switcher of projects, the palette and the page of a resource', async () => {
  const { regionId = '' } = product.credentials;
  const page = await product.open(`${list('networks')}?region=${regionId}`);
  await page.getByRole('row', { name: /frontend/ }).click();
  await page.getByRole('heading', { name: 'frontend' }).waitFor();
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Command palette' });
  await palette.getByRole('combobox').fill('File storage');
  await palette.getByRole('option', { name: 'File storage' }).first().click();
  await page.getByRole('heading', { name: 'File storage', exact: true }).waitFor();
  expect(regionOf(page)).toBe(regionId);
  await page.getByRole('combobox', { name: /^Project:/ }).click();
  await page.getByRole('option', { name: 'research' }).click();
  await expect.poll(() => page.url()).toContain(product.secondaryProjectId);
  expect(regionOf(page)).toBe(regionId);
});

it('pages without regions drop it, and do not offer it', async () => {
  const { regionId = '' } = product.credentials;
  const page = await product.open(`${list('networks')}?region=${regionId}`);
  const rail = page.getByRole('navigation', { name: 'Main navigation' });
  for (const noun of ['SSH authorities', 'Quotas']) {
    await rail.getByRole('link', { name: noun }).click();
    await page.getByRole('heading', { name: noun, exact: true }).waitFor();
    expect(regionOf(page), noun).toBeNull();
    expect(await page.getByRole('combobox', { name: /^Region:/ }).count(), noun).toBe(0);
    expect(await page.getByText('does not know these parts').count(), noun).toBe(0);
    await page.goBack();
    await page.getByRole('combobox', { name: `Region: ${names.first}` }).waitFor();
  }
});

it('a narrow screen has it in its menu, and shows in the list that it is on', async () => {
  const page = await product.open(list('networks'));
  await page.setViewportSize({ width: 360, height: 800 });
  await page.getByRole('button', { name: 'Menu', exact: true }).click();
  await choose(page, names.second);
  await expect.poll(() => rowsOf(page)).toEqual(['remote']);
  expect(await page.getByRole('navigation', { name: 'Main navigation' }).isVisible()).toBe(false);
  await page.getByRole('button', { name: `Remove the filter Region: ${names.second}` }).click();
  await expect.poll(() => rowsOf(page)).toEqual(['frontend', 'remote']);
});
