import { dataOf } from '@unikorn/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, shareConsole } from './console.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;
let list: string;

beforeAll(async () => {
  product = await shareConsole();
  list = `/o/${product.organizationId}/p/${product.projectId}/instances`;
});

afterAll(() => product.stop());

async function instances() {
  const query = { projectID: [product.projectId] };
  return dataOf(product.api.compute.GET('/api/v2/instances', { params: { query } }));
}

/** The tags of all instances, by name of the instance. */
async function tags() {
  return Object.fromEntries(
    (await instances()).map(({ metadata }) => [
      metadata.name,
      (metadata.tags ?? []).map(({ name, value }) => `${name}=${value}`),
    ]),
  );
}

it('tags of an instance are written row by row, shown on its page, and found by the filter of the list', async () => {
  const [web] = (await instances()).filter(({ metadata }) => metadata.name === 'web-1');
  const page = await product.open(`${list}/${web?.metadata.id ?? ''}`);
  await page.getByRole('button', { name: 'Edit tags' }).click();
  const dialog = page.getByRole('dialog', { name: 'Tags of web-1' });
  await dialog.getByLabel('Name of tag 1').fill('team');
  await dialog.getByLabel('Value of tag 1').fill('web');
  await dialog.getByRole('button', { name: 'Add tag' }).click();
  await dialog.getByLabel('Name of tag 2').fill('team');
  expect(await dialog.getByRole('button', { name: 'Save' }).getAttribute('aria-description')).toBe(
    'The tag team is there twice.',
  );
  await dialog.getByLabel('Name of tag 2').fill('tier');
  await dialog.getByLabel('Value of tag 2').fill('front');
  await dialog.getByText('The same as a command, file or request').click();
  await dialog.getByText('--tag team=web', { exact: false }).waitFor();
  await checked(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('team=web').waitFor();
  await page.getByText('tier=front').waitFor();
  await page.goto(`${product.base}/console${list}?q=tier%3Dfront`);
  await page.getByRole('link', { name: 'web-1' }).waitFor();
  expect(await page.getByRole('link', { name: 'web-2' }).count()).toBe(0);
});

it('another user changes the tags while the dialog is open: both changes are merged', async () => {
  const [web] = (await instances()).filter(({ metadata }) => metadata.name === 'web-1');
  if (!web) throw new Error('there is no web-1');
  const page = await product.open(`${list}/${web.metadata.id}?dialog=tags`);
  const dialog = page.getByRole('dialog', { name: 'Tags of web-1' });
  await dialog.getByLabel('Value of tag 1').fill('shop');
  await product.api.compute.PUT('/api/v2/instances/{instanceID}', {
    params: { path: { instanceID: web.metadata.id } },
    body: {
      metadata: { name: 'web-1', tags: [...(web.metadata.tags ?? []), { name: 'cost', value: '7' }] },
      spec: web.spec,
    },
  });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Another user changed this').waitFor();
  await checked(page);
  await dialog.getByRole('button', { name: 'Merge both changes' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect((await tags())['web-1']).toEqual(['team=shop', 'tier=front', 'cost=7']);
});

it('selected instances get a tag and lose another; other tags stay, and all of it is undone', async () => {
  const before = await tags();
  const page = await product.open(list);
  await page.getByRole('checkbox', { name: 'Select web-1' }).check();
  await page.getByRole('checkbox', { name: 'Select web-2' }).check();
  const toolbar = page.getByRole('toolbar', { name: 'Actions on the selected instances' });
  await toolbar.getByRole('button', { name: 'Tag', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Tag 2 instances' });
  await dialog.getByLabel('Name of tag 1').fill('owner');
  await dialog.getByLabel('Value of tag 1').fill('ann');
  await dialog.getByRole('checkbox', { name: 'tier' }).check();
  await checked(page);
  await dialog.getByRole('button', { name: 'Apply' }).click();
  const results = page.getByRole('dialog', { name: 'Tag: results' });
  await results.getByText('2 accepted, 0 failed, of 2.').waitFor();
  await checked(page);
  expect(await tags()).toEqual({ 'web-1': ['team=shop', 'cost=7', 'owner=ann'], 'web-2': ['owner=ann'] });
  await results.getByRole('button', { name: 'Close' }).last().click();
  await page.getByText('The tags of 2 instances were changed.').waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText('Undone. The old value is back.').waitFor();
  expect(await tags()).toEqual(before);
});
