import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, startConsole, type Console } from './console.fixture.ts';

let product: Console;

beforeAll(async () => {
  product = await startConsole();
});

afterAll(() => product.stop());

const below = (page: string) => `/o/${product.organizationId}/p/${product.projectId}/${page}`;

it('a network in use is not deleted, and the page says by what it is used', async () => {
  const page = await product.open(below('networks'));
  await page.getByRole('row', { name: /^frontend/ }).click();
  await page.getByRole('heading', { name: 'frontend' }).waitFor();
  await page.getByRole('link', { name: 'web-1' }).waitFor();
  await checked(page);
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByLabel('Type frontend to confirm').fill('frontend');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page
    .getByRole('alert')
    .getByText(/in use|used/)
    .waitFor();
  await checked(page, [/40[39]/]);
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

it('two people who change the same group hear of each other', async () => {
  const page = await product.open(below('security-groups'));
  await page.getByRole('button', { name: 'Actions for web' }).click();
  await page.getByRole('menuitem', { name: 'Change rules' }).click();
  await page.getByLabel('Rule 2: Address range').fill('10.0.0.0/8');
  const { region } = product.api;
  const query = { organizationID: [product.organizationId], projectID: [product.projectId] };
  const { data: groups = [] } = await region.GET('/api/v2/securitygroups', { params: { query } });
  const [group] = groups;
  if (!group) throw new Error('the demo has no security group');
  await region.PUT('/api/v2/securitygroups/{securityGroupID}', {
    params: { path: { securityGroupID: group.metadata.id } },
    body: {
      metadata: { name: group.metadata.name },
      spec: { rules: [...group.spec.rules, { direction: 'egress', protocol: 'udp', port: 53 }] },
    },
  });
  await expect
    .poll(async () => {
      await page.getByRole('button', { name: 'Save' }).click();
      return page.getByText('Another user changed this').count();
    })
    .toBe(1);
  await checked(page);
  await page.getByRole('button', { name: 'Load that change' }).click();
  await expect
    .poll(() =>
      page
        .getByLabel(/First port/)
        .last()
        .inputValue(),
    )
    .toBe('53');
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
});

it('images of all regions are listed, and a refused import is explained', async () => {
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
});
