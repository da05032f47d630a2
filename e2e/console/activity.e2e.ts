import { dataOf } from '@unikorn/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, startConsole, type Console } from './console.fixture.ts';

let product: Console;
let place: string;

beforeAll(async () => {
  product = await startConsole();
  place = `/o/${product.organizationId}/p/${product.projectId}`;
});

afterAll(() => product.stop());

async function instance(name: string): Promise<string> {
  const instances = await dataOf(product.api.compute.GET('/api/v2/instances'));
  return instances.find(({ metadata }) => metadata.name === name)?.metadata.id ?? '';
}

const entry = (text: string | RegExp) => ({ hasText: text });

it('the activity of a project follows what happens, folds repeats, and keeps its filters in the address', async () => {
  const page = await product.open(`${place}/activity`);
  const entries = page.getByRole('main').getByRole('listitem');
  await entries.filter(entry('created instance web-1')).waitFor();
  await checked(page);
  const id = await instance('web-1');
  const params = { params: { path: { instanceID: id } } };
  await expect
    .poll(
      async () => (await dataOf(product.api.compute.GET('/api/v2/instances/{instanceID}', params))).status.powerState,
      {
        timeout: 60_000,
      },
    )
    .toBe('Running');
  await product.api.compute.POST('/api/v2/instances/{instanceID}/stop', params);
  await entries.filter(entry('stopped instance web-1')).waitFor({ timeout: 30_000 });
  for (let time = 0; time < 3; time += 1)
    await product.api.compute.GET('/api/v2/instances/{instanceID}/sshkey', params);
  await entries.filter(entry(/read the SSH key of instance web-1\s+3 times/)).waitFor({ timeout: 30_000 });
  await page.getByRole('button', { name: /^Access/ }).click();
  await expect.poll(() => entries.filter(entry('stopped')).count()).toBe(0);
  await page.getByRole('searchbox').fill('web-1');
  await page.getByRole('combobox', { name: 'Resources' }).selectOption('instance');
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
    lane: 'access',
    q: 'web-1',
    kind: 'instance',
  });
  await page.reload();
  await entries.filter(entry('read the SSH key of instance web-1')).waitFor();
  expect(await entries.filter(entry('created')).count()).toBe(0);
  await checked(page);
});

it('the activity of an organization leads to the history of what is deleted', async () => {
  const { region } = product.api;
  const [network] = await dataOf(
    region.GET('/api/v2/networks', { params: { query: { projectID: [product.projectId] } } }),
  );
  const made = await dataOf(
    region.POST('/api/v2/networks', {
      body: {
        metadata: { name: 'short-lived' },
        spec: {
          organizationId: product.organizationId,
          projectId: product.projectId,
          regionId: network?.status.regionId ?? '',
          prefix: '10.77.0.0/24',
          dnsNameservers: [],
        },
      },
    }),
  );
  await region.DELETE('/api/v2/networks/{networkID}', { params: { path: { networkID: made.metadata.id } } });
  const page = await product.open(`/o/${product.organizationId}/activity`);
  const entries = page.getByRole('main').getByRole('listitem');
  await entries.filter(entry('deleted network short-lived in website')).waitFor();
  await entries.filter(entry(/created network short-lived in website ?deleted since/)).waitFor();
  await checked(page);
  await expect
    .poll(
      () =>
        region.GET('/api/v2/networks/{networkID}', { params: { path: { networkID: made.metadata.id } } }).then(
          () => 'there',
          () => 'gone',
        ),
      { timeout: 60_000 },
    )
    .toBe('gone');
  await page.getByRole('link', { name: 'short-lived' }).first().click();
  await page.getByRole('heading', { name: 'A deleted network' }).waitFor();
  await page.getByRole('listitem').filter(entry('delete')).first().waitFor();
  await checked(page);
});

it('a deleted instance is found by its id', async () => {
  const id = await instance('web-2');
  const params = { params: { path: { instanceID: id } } };
  await product.api.compute.DELETE('/api/v2/instances/{instanceID}', params);
  await expect
    .poll(
      () =>
        product.api.compute.GET('/api/v2/instances/{instanceID}', params).then(
          () => 'there',
          () => 'gone',
        ),
      { timeout: 60_000 },
    )
    .toBe('gone');
  const page = await product.open(`/i/${id}`);
  await page.getByRole('heading', { name: 'web-2' }).waitFor();
  await page.getByRole('region', { name: 'History' }).getByRole('listitem').filter(entry('delete')).first().waitFor();
  await checked(page, [/404/]);
});

it('the history of an instance names programs, and shows no bare id of one', async () => {
  const page = await product.open(`${place}/instances/${await instance('web-1')}/history`);
  const entries = page.getByRole('main').getByRole('listitem');
  await entries
    .filter(entry('create'))
    .filter(entry(/by (demo|service account [0-9a-f]{8}…)/))
    .first()
    .waitFor();
  expect(await entries.filter(entry(/by [0-9a-f]{8}-/)).count()).toBe(0);
});
