import { afterAll, beforeAll, expect, it } from 'vitest';

import { dataOf } from '@unikorn/sdk';

import { checked, newPage, startConsole, type Console } from './console.fixture.ts';

let product: Console;

beforeAll(async () => {
  product = await startConsole();
});

afterAll(() => product.stop());

async function service(name: string): Promise<string> {
  const { region } = product.api;
  const regions = await dataOf(region.GET('/api/v2/regions'));
  const path = { regionID: regions.find(({ metadata }) => metadata.name === name)?.metadata.id ?? '' };
  return (await dataOf(region.GET('/api/v2/regions/{regionID}/simulation', { params: { path } }))).service;
}

async function guided(): Promise<readonly string[]> {
  const instances = await dataOf(product.api.compute.GET('/api/v2/instances'));
  return instances.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('guided-minute'));
}

it('a person breaks a region, creates an instance meanwhile, sees why it waits, and watches it heal', async () => {
  const page = await product.open('/platform');
  await page.getByRole('link', { name: 'Guided minute' }).click();
  await page.getByRole('combobox', { name: 'Region' }).selectOption('north');
  await checked(page);
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.getByRole('button', { name: 'Take north down' }).waitFor();
  await checked(page);
  await page.getByRole('button', { name: 'Take north down' }).click();
  await page.getByRole('button', { name: 'Create the instance' }).waitFor();
  expect(await service('north')).toBe('down');
  await checked(page);
  await page.getByRole('button', { name: 'Create the instance' }).click();
  await page.getByText('out of service', { exact: false }).first().waitFor();
  await page.getByText(/failed attempts/).waitFor({ timeout: 60_000 });
  await checked(page);
  // The address is enough to go on, and so is the browser.
  await page.reload();
  await page.getByRole('button', { name: 'Bring north back' }).click();
  await expect.poll(() => service('north')).toBe('up');
  await page.getByText('The instance is running. Nothing was lost', { exact: false }).waitFor({ timeout: 110_000 });
  await checked(page);
  await page.getByRole('button', { name: 'Delete the instance and finish' }).click();
  await page.getByText('north is as it was before.', { exact: false }).waitFor();
  await checked(page);
  await expect.poll(guided, { timeout: 60_000 }).toEqual([]);
  await page.getByRole('link', { name: 'Open its history' }).click();
  await page.getByText('create', { exact: true }).first().waitFor();
});

it('who leaves half-way is offered to restore the region on every page, and in a new tab', async () => {
  const page = await product.open('/platform/guided-minute');
  await page.getByRole('combobox', { name: 'Region' }).selectOption('north');
  await page.getByRole('button', { name: 'Begin' }).click();
  await page.getByRole('button', { name: 'Take north down' }).click();
  await page.getByRole('button', { name: 'Create the instance' }).click();
  await page.getByRole('button', { name: 'Bring north back' }).waitFor();
  await page.getByRole('link', { name: 'Organizations' }).click();
  await page.getByText('north is down because of the guided minute.').waitFor();
  await checked(page);
  await page.getByRole('link', { name: 'Go on with the guided minute' }).click();
  await page.getByRole('button', { name: 'Bring north back' }).waitFor();
  const context = page.context();
  await page.close();
  const later = await newPage(context);
  await later.goto(`${product.base}/console/`);
  await later.getByRole('heading', { name: 'Instances' }).waitFor();
  await checked(later);
  await later.getByRole('button', { name: 'Restore the region' }).click();
  await later.getByText('north is down because of the guided minute.').waitFor({ state: 'hidden' });
  await expect.poll(() => service('north')).toBe('up');
  await expect.poll(guided, { timeout: 90_000 }).toEqual([]);
  await later.reload();
  await later.getByRole('heading', { name: 'Instances' }).waitFor();
  expect(await later.getByText('because of the guided minute').count()).toBe(0);
});
