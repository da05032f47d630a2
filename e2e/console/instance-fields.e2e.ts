import { dataOf } from '@unikorn/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, shareConsole } from './console.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;
let list: string;

beforeAll(async () => {
  product = await shareConsole();
  list = `/o/${product.organizationId}/p/${product.projectId}/instances`;
});

afterAll(() => product.stop());

async function instanceOf(name: string) {
  const query = { projectID: [product.projectId] };
  const instances = await dataOf(product.api.compute.GET('/api/v2/instances', { params: { query } }));
  const found = instances.find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`there is no instance ${name}`);
  return found;
}

const running = (page: Page) => page.getByText('running', { exact: true }).first().waitFor({ timeout: 60_000 });

it('a new instance gets everything that the command line can give it, and another one is made like it', async () => {
  const page = await product.open(`${list}/new`);
  await page.getByRole('textbox', { name: 'Name' }).fill('router');
  await page.getByRole('radio', { name: /sim-standard-4/ }).check();
  await page.getByRole('combobox', { name: 'Image' }).selectOption('debian-13-amd64');
  await page.getByLabel('Other addresses it may send from').fill('10.1.0.0/24\n10.2.0.0/24');
  await page.getByRole('textbox', { name: 'User data' }).fill('#cloud-config\nmotd: hello');
  // A choice changes the address. The page stays where the user reads it.
  const scrolled = await page.evaluate('scrollY');
  expect(scrolled).toBeGreaterThan(0);
  await page.getByRole('checkbox', { name: 'Protect against deletion' }).check();
  await expect.poll(() => new URL(page.url()).searchParams.get('protected')).toBe('yes');
  expect(await page.evaluate('scrollY')).toBeGreaterThan(0);
  await page.getByRole('checkbox', { name: 'Protect against deletion' }).uncheck();
  await page.getByLabel('Description').fill('Sends for others');
  await page.getByRole('button', { name: 'Add tag' }).click();
  await page.getByLabel('Name of tag 1').fill('owner');
  await page.getByLabel('Value of tag 1').fill('Jane Doe, Web');
  await page.getByRole('combobox', { name: 'After its disk was replaced' }).selectOption('leave it stopped');
  await expect.poll(() => new URL(page.url()).searchParams.get('sources')).toBe('10.1.0.0/24,10.2.0.0/24');
  await checked(page);
  await page.getByRole('button', { name: 'Create instance' }).click();
  await page.getByRole('heading', { name: 'router' }).waitFor();
  const { metadata, spec } = await instanceOf('router');
  const given = {
    tags: [{ name: 'owner', value: 'Jane Doe, Web' }],
    networking: { publicIP: false, allowedSourceAddresses: ['10.1.0.0/24', '10.2.0.0/24'] },
    userData: Buffer.from('#cloud-config\nmotd: hello').toString('base64'),
    afterRebuild: 'stop',
  };
  expect({ ...metadata, ...spec }).toMatchObject({ ...given, description: 'Sends for others' });

  await page.goto(`${product.base}/console${list}/new?from=${metadata.id}`);
  await page.getByText('motd: hello').waitFor();
  await page.getByRole('textbox', { name: 'Name' }).first().fill('router-2');
  await page.getByRole('button', { name: 'Create instance' }).click();
  await page.getByRole('heading', { name: 'router-2' }).waitFor();
  const like = await instanceOf('router-2');
  expect({ ...like.metadata, ...like.spec }).toMatchObject(given);
});

it('groups, addresses, user data and the authority of an instance are changed after the plan was seen', async () => {
  const { organizationId, projectId } = product;
  const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIvUkYE6mZ3tcw+4pTmG2pXBeSTVbvfwMVQp4fIUNhOB ca@example.com';
  await product.api.region.POST('/api/v2/sshcertificateauthorities', {
    body: { metadata: { name: 'staff' }, spec: { publicKey, organizationId, projectId } },
  });
  const { metadata } = await instanceOf('web-1');
  const page = await product.open(`${list}/${metadata.id}`);
  await running(page);
  await page.getByRole('button', { name: 'Change' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change web-1' });
  await dialog.getByRole('checkbox', { name: 'web' }).uncheck();
  const plan = dialog.getByRole('region', { name: 'What this change does' });
  await plan.getByText('Security groups').waitFor();
  await plan.getByText('In place', { exact: true }).waitFor();
  await dialog.getByText('Addresses and user data').click();
  await dialog.getByLabel('Other addresses it may send from').fill('10.3.0.0/24');
  await dialog.getByRole('textbox', { name: 'User data' }).fill('#!/bin/sh\ntrue');
  await dialog.getByRole('combobox', { name: 'SSH authority' }).focus();
  await dialog.getByRole('combobox', { name: 'SSH authority' }).selectOption('staff');
  await plan.getByText('14 characters').waitFor();
  await plan.getByText('10.3.0.0/24').waitFor();
  await plan.getByText('Recreate', { exact: true }).first().waitFor();
  await checked(page);
  await dialog.getByLabel('Type web-1 to confirm').fill('web-1');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const { spec } = await instanceOf('web-1');
  expect(spec).toMatchObject({
    networking: { securityGroups: [], allowedSourceAddresses: ['10.3.0.0/24'] },
    userData: Buffer.from('#!/bin/sh\ntrue').toString('base64'),
    sshCertificateAuthorityId: expect.any(String) as string,
  });
});

it('an outdated plan is shown as a difference from the one that was seen, and is applied after that', async () => {
  const { metadata, spec } = await instanceOf('web-2');
  const page = await product.open(`${list}/${metadata.id}?change=1`);
  const dialog = page.getByRole('dialog', { name: 'Change web-2' });
  await dialog.getByText('Addresses and user data').click();
  await dialog.getByLabel('Other addresses it may send from').fill('10.4.0.0/24');
  await dialog.getByRole('combobox', { name: 'Flavor' }).focus();
  const plan = dialog.getByRole('region', { name: 'What this change does' });
  await plan.getByText('10.4.0.0/24').waitFor();
  // The page must not see the other change before it sends its own.
  await page.context().setOffline(true);
  await page.context().setOffline(false);
  await product.api.compute.PUT('/api/v2/instances/{instanceID}', {
    params: { path: { instanceID: metadata.id } },
    body: { metadata: { name: 'web-2' }, spec: { ...spec, networking: { ...spec.networking, securityGroups: [] } } },
  });
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await dialog.getByText('has changed in the meantime').waitFor();
  await plan.getByText('What is different from the plan that you saw').waitFor();
  await plan.getByRole('listitem').filter({ hasText: 'new: Security groups: – → web' }).waitFor();
  await checked(page, [/409/]);
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const { networking } = (await instanceOf('web-2')).spec;
  expect(networking.allowedSourceAddresses).toEqual(['10.4.0.0/24']);
});

it('a machine that does not react is switched off and on, described, and kept as an image with a tag', async () => {
  const { metadata } = await instanceOf('web-2');
  const page = await product.open(`${list}/${metadata.id}?dialog=reboot`);
  const reboot = page.getByRole('dialog', { name: 'Reboot web-2?' });
  await reboot.getByRole('checkbox', { name: 'Switch the power off and on' }).check();
  await reboot.getByText('The same as a command').click();
  await reboot.getByText('--hard').waitFor();
  await checked(page);
  const sent = page.waitForRequest((request) => request.url().includes('/reboot'));
  await reboot.getByRole('button', { name: 'Reboot' }).click();
  expect(new URL((await sent).url()).searchParams.get('hard')).toBe('true');
  await reboot.waitFor({ state: 'hidden' });

  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('textbox', { name: 'Description' }).fill('Serves the shop');
  await page.getByRole('button', { name: 'Save the description' }).click();
  await expect.poll(async () => (await instanceOf('web-2')).metadata.description).toBe('Serves the shop');
  await checked(page);

  await page.getByRole('button', { name: 'Create snapshot' }).click();
  const snapshot = page.getByRole('dialog', { name: 'Create a snapshot of web-2' });
  await snapshot.getByLabel('Name of the image').fill('shop-1');
  await snapshot.getByRole('button', { name: 'Add tag' }).click();
  await snapshot.getByLabel('Name of tag 1').fill('sale');
  await snapshot.getByLabel('Value of tag 1').fill('before');
  await checked(page);
  await snapshot.getByRole('button', { name: 'Create snapshot' }).click();
  await snapshot.getByText('is being created').waitFor();
  const params = {
    path: { regionID: product.credentials.regionId ?? '' },
    query: { organizationID: [product.organizationId] },
  };
  const tagsOf = async () => {
    const images = await dataOf(product.api.region.GET('/api/v2/regions/{regionID}/images', { params }));
    return images.find((image) => image.metadata.name === 'shop-1')?.metadata.tags ?? [];
  };
  await expect.poll(tagsOf).toContainEqual({ name: 'sale', value: 'before' });
});
