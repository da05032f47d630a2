import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { dataOf } from '@unikorn/sdk';

import { checked, startConsole, type Console } from './console.fixture.ts';

let product: Console;

beforeAll(async () => {
  product = await startConsole();
});

afterAll(() => product.stop());

async function regionId(name: string): Promise<string> {
  const regions = await dataOf(product.api.region.GET('/api/v2/regions'));
  return regions.find(({ metadata }) => metadata.name === name)?.metadata.id ?? '';
}

describe('organizations', () => {
  it('one is created, renamed with its metadata, and deleted by its name with what goes with it', async () => {
    const page = await product.open('/platform/organizations');
    await page.getByRole('row', { name: /^demo ready/ }).waitFor();
    await checked(page);
    await page.getByRole('button', { name: 'Create organization' }).click();
    const form = page.getByRole('dialog', { name: 'Create organization' });
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('not a name');
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await form.getByRole('alert').getByText('must be a name', { exact: false }).waitFor();
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('acme');
    await form.getByText('The same as a command, file or request').click();
    await form.getByLabel('Command line', { exact: true }).getByText('npx unikorn organization create acme').waitFor();
    await form.getByRole('button', { name: 'File', exact: true }).click();
    await form.getByText('kind: organization').waitFor();
    await checked(page, [/400/]);
    await form.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('row', { name: /^acme ready/ }).click();
    await page.getByRole('heading', { name: 'acme' }).waitFor();
    await page.getByRole('meter', { name: 'Servers' }).waitFor();
    await checked(page, [/400/]);
    await page.getByRole('button', { name: 'Change' }).click();
    const change = page.getByRole('dialog', { name: 'Change acme' });
    await change.getByRole('textbox', { name: 'Name', exact: true }).fill('acme-corp');
    await change.getByRole('button', { name: 'Add tag' }).click();
    await change.getByLabel('Name of tag 1').fill('tier');
    await change.getByLabel('Value of tag 1').fill('gold plus');
    await change.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'acme-corp' }).waitFor();
    await page.getByText('tier=gold plus').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete acme-corp' });
    await dialog.getByText('no project and no instance').waitFor();
    const confirm = dialog.getByRole('button', { name: 'Delete' });
    expect(await confirm.getAttribute('aria-disabled')).toBe('true');
    await dialog.getByLabel('Type acme-corp to confirm').fill('acme-corp');
    await checked(page, [/400/]);
    await confirm.click();
    await page.getByText('There is no such organization, or it was deleted.').waitFor({ timeout: 60_000 });
    await page.getByRole('link', { name: 'Organizations' }).first().click();
    await page.getByRole('row', { name: /^demo/ }).waitFor();
    expect(await page.getByRole('row', { name: /^acme/ }).count()).toBe(0);
  });

  it('its page leads to projects, people and quotas, where an operator changes limits', async () => {
    const page = await product.open(`/platform/organizations/${product.organizationId}`);
    await page.getByRole('link', { name: 'website' }).waitFor();
    await page.getByText('3 people').waitFor();
    await checked(page);
    await page.getByRole('link', { name: 'Show uses and change limits' }).click();
    await page.getByRole('button', { name: 'Change limits' }).click();
    await page.getByRole('textbox', { name: 'Load balancers' }).fill('9');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('meter', { name: 'Load balancers' }).and(page.locator('[aria-valuemax="9"]')).waitFor();
    await page.goto(`${product.base}/console/platform/organizations/${product.organizationId}`);
    await page.getByRole('link', { name: 'Projects' }).last().click();
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete demo' });
    await dialog.getByText(/project website: \d instances with their disks/).waitFor();
    await checked(page);
  });
});

describe('regions', () => {
  it('a region that is in use says why it cannot be deleted', async () => {
    const page = await product.open(`/platform/regions/${await regionId('north')}`);
    const button = page.getByRole('button', { name: 'Delete' });
    await expect.poll(() => button.getAttribute('aria-disabled'), { timeout: 30_000 }).toBe('true');
    await button.focus();
    await page.getByText('is in use by network', { exact: false }).waitFor();
  });
});

it('a storage class is created for a region, and deleted by its name', async () => {
  const page = await product.open('/platform/storage-classes');
  await page.getByRole('row', { name: /^files-north north/ }).waitFor();
  await checked(page);
  await page.getByRole('button', { name: 'Create storage class' }).first().click();
  const form = page.getByRole('dialog', { name: 'Create storage class' });
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('fast');
  await form.getByRole('combobox', { name: 'Region' }).selectOption('south');
  await form.getByRole('checkbox', { name: 'nfsv3' }).check();
  await form.getByRole('textbox', { name: 'Parallelism' }).fill('2');
  await form.getByText('The same as a command, file or request').click();
  await form.getByText('--region south', { exact: false }).waitFor();
  await checked(page);
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('row', { name: /^fast south nfsv3, nfsv4 2/ }).waitFor();
  await page.getByRole('button', { name: 'Actions for fast' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByLabel('Type fast to confirm').fill('fast');
  await checked(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => page.getByRole('row', { name: /^fast/ }).count(), { timeout: 30_000 }).toBe(0);
});

it('controllers show their work, and the parked instance of the demo', async () => {
  const page = await product.open('/platform/controllers');
  await page.getByRole('row', { name: /^servers/ }).waitFor();
  await page.getByRole('img', { name: 'Work of servers since the page was opened' }).waitFor();
  await checked(page);
  await page.getByRole('searchbox').fill('load');
  await expect.poll(() => page.getByRole('row').count(), { timeout: 30_000 }).toBe(2);
  expect(page.url()).toContain('q=load');
});

it('a reader of a project sees nothing of the platform, and its pages say whom they are for', async () => {
  const { identity } = product.api;
  const email = 'carol@example.com';
  const { password = '' } = await dataOf(identity.POST('/api/v1/passwords', { body: { subject: email } }));
  const page = await product.open('/', { email, password });
  await page.getByRole('link', { name: 'Networks' }).waitFor();
  expect(await page.getByRole('link', { name: /Regions|Sagas|Organizations|Guided minute/ }).count()).toBe(0);
  for (const path of ['sagas', 'controllers', 'findings', `regions/${await regionId('north')}/simulation`]) {
    await page.goto(`${product.base}/console/platform/${path}`);
    await page.getByText('These pages are for operators of the platform.').waitFor();
    await checked(page);
  }
});
