import { dataOf } from '@unikorn/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, shareConsole } from './console.fixture.ts';
import { createInstances } from './furnish.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;
let list: string;

beforeAll(async () => {
  product = await shareConsole();
  list = `/o/${product.organizationId}/p/${product.projectId}/instances`;
});

afterAll(() => product.stop());

async function idOf(name: string): Promise<string> {
  const query = { projectID: [product.projectId] };
  const instances = await dataOf(product.api.compute.GET('/api/v2/instances', { params: { query } }));
  return instances.find(({ metadata }) => metadata.name === name)?.metadata.id ?? '';
}

it('an instance is created with a few choices, and the page follows it until it runs', async () => {
  const page = await product.open(list);
  await page.getByRole('link', { name: 'Create instance' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('web-3');
  await page.getByRole('radio', { name: /sim-standard-4/ }).check();
  await page.getByRole('combobox', { name: 'Image' }).selectOption('debian-13-amd64');
  await page.getByRole('checkbox', { name: 'web' }).check();
  await checked(page);
  expect(new URL(page.url()).searchParams.get('name')).toBe('web-3');
  await page.getByRole('button', { name: 'Create instance' }).click();
  await page.getByRole('heading', { name: 'web-3' }).waitFor();
  await page.getByText('running', { exact: true }).first().waitFor({ timeout: 60_000 });
  await checked(page);
  for (const tab of ['Network', 'Console', 'History', 'Settings']) {
    await page.getByRole('link', { name: tab, exact: true }).click();
    await page.getByRole('region').first().waitFor();
    await checked(page);
  }
});

it('another image shows what is lost before anything happens, and is applied after the name is typed', async () => {
  const page = await product.open(`${list}/${await idOf('web-1')}`);
  await page.getByRole('button', { name: 'Change' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change web-1' });
  const image = dialog.getByLabel('Image');
  await expect.poll(() => image.locator('option').count()).toBeGreaterThan(1);
  const [other = ''] = await image.locator('option:not([disabled]):not(:checked)').allTextContents();
  await image.selectOption(other);
  await dialog.getByText('This is lost:').waitFor();
  await checked(page);
  const apply = dialog.getByRole('button', { name: 'Apply' });
  expect(await apply.getAttribute('aria-disabled')).toBe('true');
  await dialog.getByLabel('Type web-1 to confirm').fill('web-1');
  await apply.click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('definition').filter({ hasText: other }).waitFor({ timeout: 60_000 });
});

it('a plan that is outdated is refused, and the new plan is shown', async () => {
  const id = await idOf('web-2');
  const page = await product.open(`${list}/${id}?change=1`);
  const dialog = page.getByRole('dialog', { name: 'Change web-2' });
  await dialog.getByRole('checkbox', { name: 'Public address' }).uncheck();
  await dialog.getByLabel('Type web-2 to confirm').fill('web-2');
  const { metadata, spec } = await dataOf(
    product.api.compute.GET('/api/v2/instances/{instanceID}', { params: { path: { instanceID: id } } }),
  );
  await product.api.compute.PUT('/api/v2/instances/{instanceID}', {
    params: { path: { instanceID: id } },
    body: {
      metadata: { name: metadata.name, description: 'changed elsewhere' },
      spec: { ...spec, networking: {} },
    },
  });
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await dialog
    .getByText(/has changed in the meantime|No change/)
    .first()
    .waitFor();
});

it('filters, columns and order are in the address, and the back button restores them', async () => {
  const page = await product.open(list);
  await page.getByRole('link', { name: 'web-1' }).waitFor();
  // The order changes at once, although rows do not move under the pointer, which is over the table now.
  await page.getByRole('button', { name: 'Sort by Name' }).click();
  const names = () => page.getByRole('link', { name: /^web-\d$/ }).allTextContents();
  await expect.poll(async () => (await names()).at(-1)).toBe('web-1');
  await page.getByRole('searchbox').fill('web-2');
  await expect.poll(() => page.getByRole('link', { name: 'web-1' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Sort by Age' }).click();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Region' }).click();
  await page.keyboard.press('Escape');
  const address = page.url();
  expect(Object.fromEntries(new URL(address).searchParams)).toMatchObject({ q: 'web-2', sort: 'age' });
  await page.getByRole('link', { name: 'web-2' }).click();
  await page.getByRole('heading', { name: 'web-2' }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'web-2' }).waitFor();
  expect(page.url()).toBe(address);
  await page.getByText('north').waitFor();
  await page.reload();
  await page.getByText('north').waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'web-1' }).count()).toBe(0);
});

it('a large selection says why something cannot be done with any of them', async () => {
  const { organizationId, projectId, networkId } = product;
  const { flavorId = '', imageId = '' } = product.credentials;
  const names = Array.from({ length: 12 }, (_unused, index) => `fleet-${index}`);
  await createInstances(product.api, names, { organizationId, projectId, networkId, flavorId, imageId });
  const page = await product.open(`${list}?q=fleet`);
  await page.getByRole('button', { name: 'Running 12' }).waitFor({ timeout: 60_000 });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/actions')) asked.push(request.url());
  });
  await page.getByRole('checkbox', { name: 'Select all rows' }).check();
  const toolbar = page.getByRole('toolbar');
  const start = toolbar.getByRole('button', { name: 'Start' });
  await expect.poll(() => start.getAttribute('aria-description')).toContain('already running');
  expect(await toolbar.getByRole('button', { name: 'Stop' }).getAttribute('aria-disabled')).toBeNull();
  // All of them are in the same state.
  expect(asked).toHaveLength(1);
  await toolbar.getByRole('button', { name: 'Delete' }).click();
  await page.getByLabel('Type 12 to confirm').fill('12');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('12 accepted, 0 failed, of 12.').waitFor();
});

it('parts of an address that the page does not know are removed from it, and named', async () => {
  const page = await product.open(`${list}?q=web&status=purple&nonsense=1`);
  const notice = page.getByRole('status').filter({ hasText: 'status=purple, nonsense=1' });
  await notice.waitFor();
  // The wrong filter has no effect, and the right one still has.
  await page.getByRole('link', { name: 'web-1' }).waitFor();
  expect(new URL(page.url()).search).toBe('?q=web');
  await checked(page);
  await notice.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => notice.count()).toBe(0);
});

it('ten instances are deleted at once; the two that are protected say so, and go when they are not any more', async () => {
  const { organizationId, projectId, networkId } = product;
  const { flavorId = '', imageId = '' } = product.credentials;
  const place = { organizationId, projectId, networkId, flavorId, imageId };
  const names = Array.from({ length: 10 }, (_unused, index) => `batch-${index}`);
  await createInstances(product.api, names.slice(0, 8), place);
  const [kept = ''] = await createInstances(product.api, names.slice(8), { ...place, deletionProtection: true });
  const page = await product.open(`${list}?q=batch`);
  await expect.poll(() => page.getByRole('link', { name: /^batch/ }).count()).toBe(10);
  await page.getByRole('checkbox', { name: 'Select all rows' }).check();
  const toolbar = page.getByRole('toolbar');
  await toolbar.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete: 10 instances' });
  await dialog.getByLabel('Type 10 to confirm').fill('10');
  await checked(page);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  const results = page.getByRole('dialog', { name: 'Delete: results' });
  await results.getByText('8 accepted, 2 failed, of 10.').waitFor();
  const refused = results.getByRole('listitem').filter({ hasText: 'protect' });
  expect(await refused.count()).toBe(2);
  // Refusals for the protected ones, and the tray asks for those that are gone.
  await checked(page, [/40[349]/]);
  await results.getByRole('button', { name: 'Retry failed' }).click();
  await results.getByText('0 accepted, 2 failed, of 2.').waitFor();
  // Somebody else removes one protection meanwhile.
  const path = { instanceID: kept };
  const { metadata, spec } = await dataOf(
    product.api.compute.GET('/api/v2/instances/{instanceID}', { params: { path } }),
  );
  await product.api.compute.PUT('/api/v2/instances/{instanceID}', {
    params: { path },
    body: { metadata: { name: metadata.name }, spec: { ...spec, deletionProtection: false } },
  });
  await results.getByRole('button', { name: 'Retry failed' }).click();
  await results.getByText('1 accepted, 1 failed, of 2.').waitFor();
  await results.getByRole('button', { name: 'Close' }).last().click();
  await expect.poll(() => page.getByRole('link', { name: /^batch/ }).count()).toBe(1);
  await toolbar.getByRole('button', { name: 'Remove protection' }).click();
  await page.getByText('1 accepted, 0 failed, of 1.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await toolbar.getByRole('button', { name: 'Delete' }).click();
  await page.getByLabel('Type 1 to confirm').fill('1');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('1 accepted, 0 failed, of 1.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await expect.poll(() => page.getByRole('link', { name: /^batch/ }).count()).toBe(0);
});

it('a snapshot of a disk becomes an image, from which an instance can be made', async () => {
  const page = await product.open(`${list}/${await idOf('web-1')}/settings`);
  await page.getByRole('button', { name: 'Create snapshot' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create a snapshot of web-1' });
  await dialog.getByLabel('Name of the image').fill('golden');
  await checked(page);
  await dialog.getByRole('button', { name: 'Create snapshot' }).click();
  await dialog.getByText('The snapshot is being created.').waitFor();
  await dialog.getByRole('link', { name: 'Images', exact: true }).click();
  await page.getByRole('row', { name: /^golden ready/ }).waitFor({ timeout: 60_000 });
  await page.getByRole('link', { name: 'Instances', exact: true }).click();
  await page.getByRole('link', { name: 'Create instance' }).click();
  await page.getByRole('radio', { name: /sim-standard-4/ }).check();
  await page.getByRole('combobox', { name: 'Image' }).selectOption('golden');
});

it('the page of a deleted instance keeps its history', async () => {
  const page = await product.open(`${list}?q=web-3`);
  const id = await idOf('web-3');
  await page.getByRole('link', { name: 'web-3' }).click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete web-3?' });
  await dialog.getByLabel('Type web-3 to confirm').fill('web-3');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted', { exact: true }).first().waitFor({ timeout: 60_000 });
  await checked(page, [/404/]);
  await page.goto(`${product.base}/console/i/${id}`);
  await page.getByRole('heading', { name: 'web-3' }).waitFor();
  await page.getByText('create', { exact: true }).first().waitFor();
});
