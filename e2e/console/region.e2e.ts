import { dataOf } from '@unikorn/sdk';
import { afterAll, beforeAll, it } from 'vitest';

import { checked, startConsole, type Console } from './console.fixture.ts';

let product: Console;

beforeAll(async () => {
  product = await startConsole();
});

afterAll(() => product.stop());

it('the page of a waiting instance opens on the cause, and heals when a place is free', async () => {
  const { compute, region } = product.api;
  const instances = await dataOf(compute.GET('/api/v2/instances'));
  const trainer = instances.find(({ metadata }) => metadata.name === 'trainer');
  const page = await product.open(
    `/o/${product.organizationId}/p/${product.secondaryProjectId}/instances/${trainer?.metadata.id ?? ''}`,
  );
  await page.getByText('The cause', { exact: false }).waitFor();
  await page
    .getByText(/no capacity/i)
    .first()
    .waitFor();
  await checked(page);
  await region.PUT('/api/v2/regions/{regionID}/simulation', {
    params: { path: { regionID: trainer?.status.regionId ?? '' } },
    body: { places: { [trainer?.spec.flavorId ?? '']: 4 } },
  });
  await page.getByText('running', { exact: true }).first().waitFor({ timeout: 90_000 });
  await checked(page);
});

it('a region that is down is seen on the page, and nothing is lost when it is back', async () => {
  const { compute, region } = product.api;
  const instances = await dataOf(compute.GET('/api/v2/instances'));
  const web = instances.find(({ metadata }) => metadata.name === 'web-1');
  const path = { regionID: web?.status.regionId ?? '' };
  const { organizationId, projectId } = product;
  const page = await product.open(`/o/${organizationId}/p/${projectId}/instances/${web?.metadata.id ?? ''}`);
  await page.getByText('running', { exact: true }).first().waitFor({ timeout: 60_000 });
  await region.PUT('/api/v2/regions/{regionID}/simulation', { params: { path }, body: { service: 'down' } });
  await page.getByRole('button', { name: 'Stop' }).click();
  const dialog = page.getByRole('dialog', { name: 'Stop web-1?' });
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await dialog.getByRole('alert').waitFor({ timeout: 60_000 });
  await checked(page, [/50\d/]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await region.PUT('/api/v2/regions/{regionID}/simulation', { params: { path }, body: { service: 'up' } });
  await page.getByText('running', { exact: true }).first().waitFor({ timeout: 60_000 });
});
