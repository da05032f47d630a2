import { dataOf } from '@unikorn/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, shareConsole, type Person } from './console.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;
let page: Page;

beforeAll(async () => {
  product = await shareConsole();
  page = await product.open('/settings');
});

afterAll(() => product.stop());

const below = (path: string) => `${product.base}/console/o/${product.organizationId}/p/${product.projectId}/${path}`;
const inProject = () => ({
  params: { query: { organizationID: [product.organizationId], projectID: [product.projectId] } },
});

it('file storage gets policies for snapshots, a description and tags, and loses a policy again', async () => {
  await page.goto(below('file-storage?dialog=new'));
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('shared');
  await dialog.getByRole('combobox', { name: 'Storage class' }).selectOption({ index: 1 });
  await dialog.getByRole('checkbox', { name: /daily snapshots/ }).check();
  const add = dialog.getByRole('button', { name: 'Add policy' });
  await add.click();
  const first = dialog.getByRole('group', { name: 'Policy 1' });
  const send = dialog.getByRole('button', { name: 'Create', exact: true });
  await first.getByLabel('Policy name').fill('Nightly');
  await expect.poll(() => send.getAttribute('aria-description')).toMatch(/lower case/);
  await first.getByLabel('Policy name').fill('nightly');
  await first.getByLabel('Time').fill('02:30');
  await add.click();
  const second = dialog.getByRole('group', { name: 'Policy 2' });
  await second.getByLabel('Policy name').fill('weekly');
  await second.getByLabel('How often').selectOption('every week');
  await second.getByLabel('Day').selectOption('Friday');
  await second.getByLabel('Snapshots kept').fill('4');
  await dialog.getByLabel('Description').fill('Pictures of the shop');
  await dialog.getByRole('button', { name: 'Add tag' }).click();
  await dialog.getByLabel('Name of tag 1').fill('cost centre');
  await expect.poll(() => send.getAttribute('aria-disabled')).toBeNull();
  await checked(page);
  await send.click();
  await dialog.waitFor({ state: 'hidden' });
  const read = async () => {
    const all = await dataOf(product.api.region.GET('/api/v2/filestorage', inProject()));
    return all.find(({ metadata }) => metadata.name === 'shared');
  };
  const made = await read();
  expect(made?.metadata).toMatchObject({
    description: 'Pictures of the shop',
    tags: [{ name: 'cost centre', value: '' }],
  });
  expect(made?.spec).toMatchObject({
    defaultSnapshotProtectionEnabled: true,
    snapshotPolicies: [
      { name: 'nightly', schedule: { interval: 'daily', timeOfDay: '02:30Z' }, retention: { keep: 7 } },
      {
        name: 'weekly',
        schedule: { interval: 'weekly', timeOfDay: '03:00Z', dayOfWeek: 'friday' },
        retention: { keep: 4 },
      },
    ],
  });
  await page.goto(below(`file-storage/${made?.metadata.id ?? ''}?dialog=edit`));
  await dialog.getByRole('button', { name: 'Remove policy 1' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(async () => (await read())?.spec.snapshotPolicies?.map(({ name }) => name)).toEqual(['weekly']);
});

it('a load balancer gets an address, and its listener gets limits', async () => {
  await page.goto(below('load-balancers?dialog=new'));
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('edge');
  await dialog.getByLabel('Address in the network').fill('10.0.0');
  const send = dialog.getByRole('button', { name: 'Create', exact: true });
  await dialog.getByLabel('Listener name').fill('web');
  await expect.poll(() => send.getAttribute('aria-description')).toMatch(/four numbers/);
  // Instances have any addresses of the network.
  const used = (await dataOf(product.api.compute.GET('/api/v2/instances', inProject()))).map(
    ({ status }) => status.privateIP,
  );
  const free = ['10.0.0.200', '10.0.0.201', '10.0.0.202', '10.0.0.203'].find((each) => !used.includes(each)) ?? '';
  await dialog.getByLabel('Address in the network').fill(free);
  await dialog.getByText('Limits and health checks').click();
  await dialog.getByLabel('Addresses that may connect').fill('192.0.2.0/24\n198.51.100.0/24');
  await dialog.getByLabel('Idle connections end after').fill('90');
  await dialog.getByRole('checkbox', { name: /PROXY protocol/ }).check();
  await dialog.getByLabel('Time between checks').fill('20');
  await checked(page);
  await send.click();
  await dialog.waitFor({ state: 'hidden' });
  const [made] = await dataOf(product.api.region.GET('/api/v2/loadbalancers', inProject()));
  expect(made?.spec.listeners).toMatchObject([
    {
      name: 'web',
      protocol: 'tcp',
      port: 80,
      allowedCidrs: ['192.0.2.0/24', '198.51.100.0/24'],
      idleTimeoutSeconds: 90,
      pool: { proxyProtocolV2: true, members: [], healthCheck: { intervalSeconds: 20 } },
    },
  ]);
  await expect
    .poll(
      async () => (await dataOf(product.api.region.GET('/api/v2/loadbalancers', inProject())))[0]?.status.vipAddress,
    )
    .toBe(free);
});

it('an image is imported with its variant, GPU, description and tags', async () => {
  await page.goto(below('images?dialog=new'));
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('trainer');
  await dialog.getByRole('combobox', { name: 'Region' }).selectOption('north');
  await dialog.getByLabel('Address').fill('https://images.example.com/trainer.raw');
  await dialog.getByLabel('Version', { exact: true }).fill('24.04');
  await dialog.getByText('Variant, GPU and software').click();
  await dialog.getByLabel('Variant').fill('server');
  await dialog.getByLabel('Code name').fill('noble');
  await dialog.getByRole('combobox', { name: 'GPU vendor' }).selectOption('NVIDIA');
  const send = dialog.getByRole('button', { name: 'Import image' });
  await expect.poll(() => send.getAttribute('aria-description')).toMatch(/GPU driver/);
  await dialog.getByLabel('GPU driver').fill('570.86');
  await dialog.getByLabel('Software').fill('kubernetes=v1.31.0');
  await dialog.getByLabel('Description').fill('for the training of models');
  await dialog.getByRole('button', { name: 'Add tag' }).click();
  await dialog.getByLabel('Name of tag 1').fill('team');
  await dialog.getByLabel('Value of tag 1').fill('research');
  await checked(page);
  await send.click();
  await dialog.waitFor({ state: 'hidden' });
  const params = {
    path: { regionID: product.credentials.regionId ?? '' },
    query: { organizationID: [product.organizationId] },
  };
  const images = await dataOf(product.api.region.GET('/api/v2/regions/{regionID}/images', { params }));
  const made = images.find(({ metadata }) => metadata.name === 'trainer');
  expect(made?.metadata.tags).toContainEqual({ name: 'team', value: 'research' });
  expect(made?.spec).toMatchObject({
    os: { variant: 'server', codename: 'noble' },
    gpu: { vendor: 'NVIDIA', driver: '570.86' },
  });
  // It is for other services, and can be seen and deleted here.
  await page.getByRole('row', { name: /^trainer/ }).click();
  await page.getByText('kubernetes v1.31.0').waitFor();
  await page.getByText('for the training of models').waitFor();
  const create = page.getByRole('button', { name: 'Create instance' });
  await expect.poll(() => create.getAttribute('aria-description')).toMatch(/ready|other services/);
});

async function newPerson(name: string, ...groupIDs: string[]): Promise<Person> {
  const email = `${name}@${product.organizationName}.example.com`;
  await product.api.identity.POST('/api/v1/organizations/{organizationID}/users', {
    params: { path: { organizationID: product.organizationId } },
    body: { spec: { subject: email, state: 'active', groupIDs } },
  });
  const { password = '' } = await dataOf(product.api.identity.POST('/api/v1/passwords', { body: { subject: email } }));
  return { email, password };
}

it('a person changes their password, stays logged in, and sees what they may do', async () => {
  const person = await newPerson('pat', product.groupIds.readers);
  const own = await product.open('/settings', person);
  const change = own.getByRole('button', { name: 'Change the password' });
  await own.getByLabel('Current password').fill('wrong');
  await own.getByLabel('New password', { exact: true }).fill('a new secret for pat');
  await own.getByLabel('Repeat the new password').fill('another');
  await expect.poll(() => change.getAttribute('aria-description')).toBe('The two new passwords are different.');
  await own.getByLabel('Repeat the new password').fill('a new secret for pat');
  await change.click();
  await own.getByRole('alert').waitFor();
  await checked(own, [/40\d/]);
  await own.getByLabel('Current password').fill(person.password);
  await change.click();
  await own.getByText('Your password was changed').waitFor();
  expect(await own.getByLabel('Current password').inputValue()).toBe('');
  await own.getByText('In the project website').click();
  await own.getByText('compute:instances', { exact: true }).waitFor();
  await checked(own);
  await own.reload();
  await own.getByText(person.email).first().waitFor();
});

it('the secret of an application is replaced after its name was typed, and shown once', async () => {
  const { metadata } = await dataOf(
    product.api.identity.POST('/api/v1/oauth2clients', {
      body: { metadata: { name: 'forum' }, spec: { redirectUris: ['https://forum.example.com/'] } },
    }),
  );
  await page.goto(`${product.base}/console/platform/applications?dialog=rotate&id=${metadata.id}`);
  const dialog = page.getByRole('dialog', { name: 'Replace the secret of forum' });
  await dialog.getByLabel('Type forum to confirm').fill('forum');
  await checked(page);
  await dialog.getByRole('button', { name: 'Replace the secret' }).click();
  const once = page.getByRole('dialog', { name: 'Secret of forum' });
  await once.waitFor();
  await checked(page);
  await once.getByRole('button', { name: 'I stored the secret' }).click();
  await once.waitFor({ state: 'hidden' });
  await page.getByRole('row', { name: /^forum/ }).waitFor();
});

it('a project says why it is in its state, and what happened to it', async () => {
  await page.goto(`${product.base}/console/o/${product.organizationId}/projects`);
  await page.getByRole('button', { name: 'Actions for website' }).click();
  await page.getByRole('menuitem', { name: 'State and history' }).click();
  const dialog = page.getByRole('dialog', { name: 'State and history of website' });
  await dialog.getByRole('region', { name: 'What it needs' }).getByRole('button').first().waitFor();
  await dialog.getByRole('region', { name: 'History' }).getByText(/creat/i).first().waitFor();
  await checked(page);
});
