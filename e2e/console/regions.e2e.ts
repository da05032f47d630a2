import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, startConsole, type Console } from './console.fixture.ts';

let product: Console;

beforeAll(async () => {
  product = await startConsole();
});

afterAll(() => product.stop());

it('an OpenStack region is added with a form, and its check says what is missing and how to grant it', async () => {
  const page = await product.open('/platform/regions/new');
  await page.getByRole('radio', { name: /OpenStack/ }).check();
  expect(page.url()).toContain('type=openstack');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('cloud-1');
  await page.getByRole('textbox', { name: 'Address of Keystone' }).fill('http://127.0.0.1:1/v3');
  await page.getByRole('textbox', { name: 'Namespace of the secret' }).fill('regions');
  const add = page.getByRole('button', { name: 'Add region' });
  expect(await add.getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('textbox', { name: 'Name of the secret' }).fill('cloud-1');
  await checked(page);
  await add.click();
  await page.getByRole('heading', { name: 'cloud-1' }).waitFor();
  await page.getByRole('button', { name: 'Check the cloud' }).click();
  await page.getByText('4 of 4 things are missing.').waitFor();
  await page.getByText('openstack role add', { exact: false }).first().waitFor();
  // Without credentials, the flavors cannot be read.
  await checked(page, [/403/]);
  await page.getByRole('link', { name: 'Regions' }).click();
  await page.getByRole('row', { name: /^cloud-1 .* 4 missing/ }).waitFor();
});

it('a Kubernetes region is added with its classes of nodes, and refused ones show the words of the service', async () => {
  const page = await product.open('/platform/regions/new?type=kubernetes');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('lab');
  await page.getByRole('textbox', { name: 'Namespace of the secret' }).fill('regions');
  await page.getByRole('textbox', { name: 'Name of the secret' }).fill('lab');
  const nodes = page.getByRole('textbox', { name: 'Classes of nodes' });
  await nodes.fill('[{ "id": "a1", "name": "large" }]');
  await page.getByRole('button', { name: 'Add region' }).click();
  await page.getByRole('alert').getByText('spec.kubernetes.nodes', { exact: false }).waitFor();
  await checked(page, [/400|422/]);
  await nodes.fill('[{ "id": "a1", "name": "large", "cpu": { "count": 4 }, "memory": "8Gi", "disk": "10Gi" }]');
  await page.getByRole('button', { name: 'Add region' }).click();
  await page.getByRole('heading', { name: 'lab' }).waitFor();
  // The cluster has no credentials, so its flavors cannot be read.
  await page.getByRole('region', { name: 'Flavors' }).getByRole('alert').waitFor();
  await checked(page, [/400|403|422/]);
});

it('a simulated region is made private, and its flavors are changed as JSON', async () => {
  const page = await product.open('/platform/regions/new');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('private-1');
  await page.getByRole('checkbox', { name: /sim-standard-4/ }).check();
  await page.getByRole('button', { name: 'Add region' }).click();
  const flavors = page.getByRole('region', { name: 'Flavors' }).getByRole('rowheader');
  await expect.poll(() => flavors.allTextContents()).toEqual(['sim-standard-4']);
  await page.getByRole('link', { name: 'Change', exact: true }).click();
  await page.getByRole('checkbox', { name: 'demo' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  const about = page.getByRole('region', { name: 'About' });
  await about.getByRole('definition').filter({ hasText: 'demo' }).waitFor();
  await page.getByRole('link', { name: 'Change', exact: true }).click();
  await page.getByRole('button', { name: 'JSON' }).click();
  await page
    .getByRole('textbox', { name: 'Settings as JSON' })
    .fill('{ "flavorIDs": ["22222222-2222-2222-2222-222222222222"] }');
  await checked(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => flavors.allTextContents()).toEqual(['sim-gpu-8']);
  await checked(page);
});
