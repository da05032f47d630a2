import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, shareConsole } from './console.fixture.ts';
import { createInstances, setQuota } from './furnish.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;

beforeAll(async () => {
  product = await shareConsole();
});

afterAll(() => product.stop());

it('a full quota disables the flavors with the sum, and a race for the last place is answered by the service', async () => {
  const { organizationId, projectId, networkId } = product;
  const { flavorId = '', imageId = '' } = product.credentials;
  const create = `/o/${organizationId}/p/${projectId}/instances/new`;
  await setQuota(product.api, organizationId, { servers: 2 });
  const full = await product.open(create);
  const flavor = full.getByRole('radio', { name: /sim-standard-4/ });
  await flavor.waitFor();
  await expect.poll(() => flavor.isDisabled()).toBe(true);
  await full.getByText('The quota of instances is used up: this needs 1, and 0 are free.').first().waitFor();
  await checked(full);
  await setQuota(product.api, organizationId, { servers: 3 });
  const page = await product.open(create);
  await page.getByRole('textbox', { name: 'Name' }).fill('late');
  await page.getByRole('radio', { name: /sim-standard-4/ }).check();
  await page.getByRole('combobox', { name: 'Image' }).selectOption('debian-13-amd64');
  await createInstances(product.api, ['early'], { organizationId, projectId, networkId, flavorId, imageId });
  await page.getByRole('button', { name: 'Create instance' }).click();
  const refusal = page.getByRole('alert').filter({ hasText: /quota/i });
  await refusal.waitFor();
  await refusal.getByText('Details', { exact: true }).click();
  await refusal.getByText('Trace id').waitFor();
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('late');
  await checked(page, [/40\d/]);
});

it('a full quota leads to what uses it, one of that is deleted, and the draft is as it was', async () => {
  const { organizationId, projectId } = product;
  await setQuota(product.api, organizationId, { servers: 3 });
  const page = await product.open(`/o/${organizationId}/p/${projectId}/instances/new`);
  await page.getByRole('textbox', { name: 'Name' }).fill('waiting');
  await page.getByRole('button', { name: 'Add tag' }).click();
  await page.getByLabel('Name of tag 1').fill('team');
  await page.getByLabel('Value of tag 1').fill('web');
  await page.getByRole('link', { name: 'Show what uses the quota' }).click();
  await page.getByRole('link', { name: 'Delete early' }).click();
  await page.getByLabel('Type early to confirm').fill('early');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Back to the new instance' }).waitFor();
  // The tray asks for the instance until it is gone.
  await checked(page, [/404/]);
  await page.getByRole('button', { name: 'Back to the new instance' }).click();
  expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('waiting');
  expect(await page.getByLabel('Value of tag 1').inputValue()).toBe('web');
  await expect
    .poll(() => page.getByRole('radio', { name: /sim-standard-4/ }).isEnabled(), { timeout: 30_000 })
    .toBe(true);
});
