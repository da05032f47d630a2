import { dataOf } from '@unikorn/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, newPage, shareConsole } from './console.fixture.ts';
import { createInstances } from './furnish.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;

beforeAll(async () => {
  product = await shareConsole();
});

afterAll(() => product.stop());

const below = (page: string) => `/o/${product.organizationId}/p/${product.projectId}/${page}`;

it('a network in use is not deleted; what uses it is linked, and everything goes in the right order', async () => {
  const { organizationId, projectId } = product;
  const { regionId = '', flavorId = '', imageId = '' } = product.credentials;
  const { metadata: network } = await dataOf(
    product.api.region.POST('/api/v2/networks', {
      body: {
        metadata: { name: 'old' },
        spec: { organizationId, projectId, regionId, prefix: '10.7.0.0/24', dnsNameservers: [] },
      },
    }),
  );
  const { metadata: group } = await dataOf(
    product.api.region.POST('/api/v2/securitygroups', {
      body: { metadata: { name: 'old-rules' }, spec: { networkId: network.id, rules: [] } },
    }),
  );
  await createInstances(product.api, ['legacy'], {
    organizationId,
    projectId,
    networkId: network.id,
    flavorId,
    imageId,
    networking: { securityGroups: [group.id] },
  });
  const page = await product.open(below('networks'));
  await page.getByRole('row', { name: /^old/ }).click();
  await page.getByRole('heading', { name: 'old' }).waitFor();
  await page.getByRole('region', { name: 'What uses' }).getByRole('link', { name: 'legacy' }).waitFor();
  const servers = page.getByRole('row', { name: /10\.7\.0\.128 – 10\.7\.0\.254/ });
  await expect
    .poll(() => servers.getByRole('cell').allTextContents())
    .toEqual(['10.7.0.128 – 10.7.0.254', 'Instances and load balancers', '1', '126']);
  await page.getByRole('img', { name: '126 of 127 addresses' }).waitFor();
  await checked(page);
  const remove = page.getByRole('button', { name: 'Delete' });
  await expect.poll(() => remove.getAttribute('aria-description')).toContain('in use by instance legacy');
  const consent = async () => {
    await page.getByLabel('Type old to confirm').fill('old');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  };
  await page.getByRole('link', { name: 'Networks', exact: true }).click();
  await page.getByRole('button', { name: 'Actions for old' }).click();
  const entry = page.getByRole('menuitem', { name: /^Delete.*in use by instance legacy/ });
  await entry.waitFor();
  expect(await entry.getAttribute('aria-disabled')).toBe('true');
  await checked(page);
  // The dialog of a page that was opened before the network was in use.
  await page.goto(`${product.base}/console${below('networks')}?dialog=delete&id=${network.id}`);
  await consent();
  const refusal = page.getByRole('alert').filter({ hasText: 'in use by instance legacy' });
  await refusal.waitFor();
  await checked(page, [/40[39]/]);
  await refusal.getByRole('link', { name: 'legacy' }).click();
  await page.getByRole('heading', { name: 'legacy' }).waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByLabel('Type legacy to confirm').fill('legacy');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Deleted', { exact: true }).first().waitFor();
  await page.goto(`${product.base}/console${below(`networks/${network.id}`)}`);
  await page.getByRole('region', { name: 'Security groups' }).getByRole('link', { name: 'old-rules' }).click();
  await page.getByRole('heading', { name: 'old-rules' }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByLabel('Type old-rules to confirm').fill('old-rules');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Security groups' }).waitFor();
  await page.goto(`${product.base}/console${below(`networks/${network.id}`)}`);
  await page.getByRole('heading', { name: 'old' }).waitFor();
  await remove.click();
  await consent();
  await page.getByRole('heading', { name: 'Networks' }).waitFor();
  await expect.poll(() => page.getByRole('row', { name: /^old/ }).count(), { timeout: 30_000 }).toBe(0);
});

it('a network is created, gets a route, and is deleted', async () => {
  const page = await product.open(below('networks'));
  await page.getByRole('button', { name: 'Create network' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('backend');
  await page.getByRole('combobox', { name: 'Region' }).selectOption({ index: 1 });
  await page.getByRole('textbox', { name: 'Prefix' }).fill('10.9.0.5/24');
  await checked(page);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('alert').waitFor();
  await page.getByRole('textbox', { name: 'Prefix' }).fill('10.9.0.0/24');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('row', { name: /backend ready 10.9.0.0\/24/ }).click();
  await page.getByRole('button', { name: 'Change' }).click();
  await page.getByLabel('Routes').fill('192.168.0.0/16 10.9.0.254');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('192.168.0.0/16 10.9.0.254').waitFor();
  await checked(page, [/4\d\d/]);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByLabel('Type backend to confirm').fill('backend');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Networks' }).waitFor();
  await expect.poll(() => page.getByRole('row', { name: /^backend/ }).count(), { timeout: 30_000 }).toBe(0);
});

it('rules are edited in a table, with warnings and the difference before they are saved', async () => {
  const page = await product.open(below('security-groups'));
  await page.getByRole('row', { name: /^web/ }).click();
  await page.getByText('Port 22 is open for the whole internet.').waitFor();
  await checked(page);
  await page.getByRole('button', { name: 'Change rules' }).click();
  await page.getByLabel('Rule 1: Address range').fill('10.0.0.0/8');
  await page.getByRole('button', { name: 'Add a preset' }).click();
  await page.getByRole('menuitem', { name: 'Ping (ICMP)' }).click();
  const review = page.getByRole('region', { name: 'These rules change' });
  await review.getByText('incoming tcp 22 from 10.0.0.0/8').waitFor();
  await review.getByText('incoming icmp from 0.0.0.0/0').waitFor();
  await checked(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: 'incoming icmp all 0.0.0.0/0' }).waitFor();
  await expect.poll(() => page.getByText('Port 22 is open for the whole internet.').count()).toBe(0);
});

it('two tabs change the same group: the second one sees the change of the first, and merges both', async () => {
  const first = await product.open(below('security-groups'));
  const second = await newPage(first.context());
  await second.goto(`${product.base}/console${below('security-groups')}`);
  for (const page of [first, second]) {
    await page.getByRole('button', { name: 'Actions for web' }).click();
    await page.getByRole('menuitem', { name: 'Change rules' }).click();
  }
  await first.getByRole('button', { name: 'Add a preset' }).click();
  await first.getByRole('menuitem', { name: 'All outgoing' }).click();
  await first.getByRole('button', { name: 'Save' }).click();
  await first.getByRole('dialog').waitFor({ state: 'hidden' });
  await second.getByLabel('Rule 2: Address range').fill('10.0.0.0/8');
  await second.getByRole('button', { name: 'Save' }).click();
  await second.getByText('Another user changed this').waitFor();
  await checked(second);
  await second.getByRole('button', { name: 'Merge both changes' }).click();
  const review = second.getByRole('region', { name: 'These rules change' });
  await review.getByText('incoming tcp 80 from 10.0.0.0/8').waitFor();
  await second.getByRole('button', { name: 'Save' }).click();
  await second.getByRole('dialog').waitFor({ state: 'hidden' });
  const query = { organizationID: [product.organizationId], projectID: [product.projectId] };
  const groups = await dataOf(product.api.region.GET('/api/v2/securitygroups', { params: { query } }));
  const rules = groups.find(({ metadata }) => metadata.name === 'web')?.spec.rules;
  expect(rules).toContainEqual({ direction: 'egress', protocol: 'any' });
  expect(rules).toContainEqual({ direction: 'ingress', protocol: 'tcp', port: 80, prefix: '10.0.0.0/8' });
});

it('a load balancer gets its members as instances', async () => {
  const page = await product.open(below('load-balancers'));
  await page.getByRole('button', { name: 'Create load balancer' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('edge');
  await page.getByLabel('Listener name').fill('http');
  await page.getByLabel(/^web-1/).check();
  await page.getByLabel(/^web-2/).check();
  await page.getByLabel('Port of the members').fill('8080');
  await checked(page);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('row', { name: /^edge ready/ }).click();
  await page.getByRole('region', { name: 'http · tcp 80' }).getByRole('link', { name: 'web-2' }).waitFor();
  await checked(page);
});

it('file storage shows the command that mounts it', async () => {
  const page = await product.open(below('file-storage'));
  await page.getByRole('button', { name: 'Create file storage' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('shared');
  // The region of the network.
  const classes = page.getByRole('combobox', { name: 'Storage class' });
  const north = await classes.locator('option', { hasText: '(north)' }).first().getAttribute('value');
  await classes.selectOption(north);
  await page.getByLabel(/^frontend/).check();
  await checked(page);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('row', { name: /^shared ready/ }).click();
  await page.getByLabel('Mount command in frontend', { exact: true }).waitFor();
  await checked(page);
});

it('a private key is not sent, and a public one gets its fingerprint', async () => {
  const page = await product.open(below('ssh-authorities'));
  await page.getByRole('button', { name: 'Add SSH authority' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('staff');
  await page.getByRole('textbox', { name: 'Public key' }).fill('-----BEGIN OPENSSH PRIVATE KEY-----');
  await page.getByText('This is a private key.').first().waitFor();
  await page
    .getByLabel('Public key')
    .fill('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPGucQ1EVSwciWRrynJwJVdFEGn+inrVPM8OPvvu1kIG test');
  await checked(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Add SSH authority' }).click();
  await page.getByText('SHA256:+EF8uCVf5Cshovq1HZibkCp09ib8GaUlZNamkNvlw38').waitFor();
  await checked(page);
  await page.getByRole('row', { name: /^staff/ }).click();
  await page.getByRole('heading', { name: 'staff' }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete staff' });
  await dialog.getByLabel('Type staff to confirm').fill('staff');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'SSH authorities', exact: true }).waitFor();
  await expect.poll(() => page.getByRole('row', { name: /^staff/ }).count()).toBe(0);
});

it('images of all regions are listed, a refused import is explained, and another one becomes ready', async () => {
  const page = await product.open(below('images'));
  await page.getByRole('row').nth(1).waitFor();
  await checked(page);
  await page.getByRole('button', { name: 'Import image' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('mine');
  await page.getByRole('combobox', { name: 'Region' }).selectOption({ index: 1 });
  await page.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1/disk.raw');
  await page.getByRole('textbox', { name: 'Version' }).fill('24.04');
  await checked(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Import image' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByRole('textbox', { name: 'Address' }).fill('https://images.example.com/disk.raw');
  await page.getByRole('dialog').getByRole('button', { name: 'Import image' }).click();
  await page.getByRole('row', { name: /^mine ready/ }).waitFor({ timeout: 60_000 });
});

it('the page of an image shows what it is and what happened, and deletes it', async () => {
  const page = await product.open(below('images'));
  await page.getByRole('row', { name: /^mine ready/ }).click();
  await page.getByRole('heading', { name: 'mine' }).waitFor();
  await page.getByText('The image is ready').waitFor();
  await page.getByText('ubuntu 24.04', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByRole('region', { name: 'History' }).getByText('create', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete mine' });
  await dialog.getByLabel('Type mine to confirm').fill('mine');
  await checked(page);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('heading', { name: 'Images', exact: true }).waitFor();
  await expect.poll(() => page.getByRole('row', { name: /^mine/ }).count()).toBe(0);
});

it('an image of the region says why it cannot be deleted, and starts an instance', async () => {
  const page = await product.open(below('images'));
  await page
    .getByRole('row', { name: /^debian-13-amd64/ })
    .first()
    .click();
  const remove = page.getByRole('button', { name: 'Delete' });
  await expect.poll(() => remove.getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('link', { name: 'Create instance' }).click();
  await page.getByRole('heading', { name: 'Create instance' }).waitFor();
  expect(new URL(page.url()).searchParams.get('image')).toBe(product.credentials.imageId);
});

it('the page of a network shows what it needs and what happened to it', async () => {
  const page = await product.open(below(`networks/${product.networkId}`));
  const needs = page.getByRole('region', { name: 'What it needs' });
  await needs.getByText('The network is ready').waitFor();
  await needs.getByRole('button', { name: /Cloud identity/ }).waitFor();
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByRole('region', { name: 'History' }).getByText('putNetwork').waitFor();
  await page.goBack();
  await needs.waitFor();
});
