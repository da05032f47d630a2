import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { dataOf } from '@unikorn/sdk';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, startConsole, type Console } from './console.fixture.ts';

const main = join(import.meta.dirname, '../../packages/unikorn/src/main.ts');

let product: Console;
let place: string;
let folder: string;

beforeAll(async () => {
  product = await startConsole();
  place = `/o/${product.organizationId}/p/${product.projectId}`;
  folder = mkdtempSync(join(tmpdir(), 'unikorn-console-'));
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await product.stop();
});

/** Runs a command of a page as a user would paste it, with the executable of this repository. */
async function run(command: string): Promise<string> {
  const script = command.replaceAll('npx unikorn', `'${process.execPath}' '${main}'`);
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], {
    cwd: folder,
    env: { ...process.env, HOME: folder, UNIKORN_URL: product.base, UNIKORN_TOKEN: product.token },
  });
  return `${stdout}${stderr}`;
}

/** What a form shows as its equivalent. */
async function shown(form: Page | Locator, kind: 'Command line' | 'File' | 'API request'): Promise<string> {
  const title = form.getByText('The same as a command, file or request');
  if ((await form.getByRole('button', { name: 'Command line' }).count()) === 0) await title.click();
  await form.getByRole('button', { name: kind, exact: true }).click();
  return form.getByLabel(kind, { exact: true }).innerText();
}

/** Applies the file as its first line says, without changing anything. */
async function applied(file: string): Promise<string> {
  const [line = ''] = file.split('\n');
  const command = line.replace(/^# /, '');
  writeFileSync(join(folder, /-f (\S+)/.exec(command)?.[1] ?? ''), file);
  return run(`${command} --dry-run`);
}

it('a network is created by the command that its form shows, and its file is accepted', async () => {
  const page = await product.open(`${place}/networks?dialog=new`);
  const form = page.getByRole('dialog', { name: 'Create network' });
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('shop');
  await form.getByLabel('Region').selectOption('north');
  await form.getByLabel('Prefix').fill('10.55.0.0/24');
  const file = await shown(form, 'File');
  expect(await applied(file)).toMatch(/shop/);
  expect(await shown(form, 'API request')).toContain('"prefix": "10.55.0.0/24"');
  const command = await shown(form, 'Command line');
  await checked(page);
  await run(command);
  const networks = await dataOf(
    product.api.region.GET('/api/v2/networks', { params: { query: { projectID: [product.projectId] } } }),
  );
  expect(networks.find(({ metadata }) => metadata.name === 'shop')?.status.prefix).toBe('10.55.0.0/24');
});

it('rules are changed by the command that their form shows, and the file of the change is accepted', async () => {
  const groups = await dataOf(product.api.region.GET('/api/v2/securitygroups'));
  const group = groups.find(({ metadata }) => metadata.name === 'web');
  const page = await product.open(`${place}/security-groups/${group?.metadata.id ?? ''}?dialog=edit`);
  const form = page.getByRole('dialog', { name: 'Change web' });
  await form.getByRole('button', { name: 'Add a preset' }).click();
  await page.getByRole('menuitem', { name: 'Ping (ICMP)' }).click();
  expect(await applied(await shown(form, 'File'))).toMatch(/web/);
  await run(await shown(form, 'Command line'));
  const changed = await dataOf(
    product.api.region.GET('/api/v2/securitygroups/{securityGroupID}', {
      params: { path: { securityGroupID: group?.metadata.id ?? '' } },
    }),
  );
  expect(changed.spec.rules.some(({ protocol }) => protocol === 'icmp')).toBe(true);
});

it('an instance with user data is created by the command, and its file is accepted', async () => {
  const page = await product.open(`${place}/instances/new?name=scripted`);
  await page.getByRole('radio', { name: /sim-standard-4/ }).check();
  await page.getByRole('combobox', { name: 'Image' }).selectOption('debian-13-amd64');
  const editor = page.getByRole('textbox', { name: 'User data' });
  await editor.fill('#cloud-config\npackges: [nginx]\n');
  await page.getByText('Line 2: cloud-init has no key “packges”.').waitFor();
  await checked(page);
  await editor.fill('#cloud-config\npackages: [nginx\n');
  await page
    .getByRole('list', { name: 'Remarks about the user data' })
    .getByText(/Line 3/)
    .first()
    .waitFor();
  await editor.fill('#cloud-config\npackages: [nginx]\n');
  await expect
    .poll(() => page.getByRole('list', { name: 'Remarks about the user data' }).getByRole('listitem').count())
    .toBe(0);
  expect(await applied(await shown(page, 'File'))).toMatch(/scripted/);
  await run(await shown(page, 'Command line'));
  const instances = await dataOf(product.api.compute.GET('/api/v2/instances'));
  expect(instances.some(({ metadata }) => metadata.name === 'scripted')).toBe(true);
});

it('power, a snapshot and a deletion are done by the commands that their dialogs show', async () => {
  const list = () => dataOf(product.api.compute.GET('/api/v2/instances'));
  const web = (await list()).find(({ metadata }) => metadata.name === 'web-1');
  const id = web?.metadata.id ?? '';
  const stateOf = async () => (await list()).find(({ metadata }) => metadata.id === id)?.status.powerState;
  const opened = async (dialog: string, name: string) => {
    const page = await product.open(`${place}/instances/${id}?dialog=${dialog}`);
    return page.getByRole('dialog', { name });
  };
  await expect.poll(stateOf).toBe('Running');
  const stop = await opened('stop', 'Stop web-1?');
  expect(await shown(stop, 'API request')).toContain(`/compute/api/v2/instances/${id}/stop`);
  await run(await shown(stop, 'Command line'));
  await expect.poll(stateOf).toBe('Stopped');
  const snapshot = await opened('snapshot', 'Create a snapshot of web-1');
  await snapshot.getByLabel('Name of the image').fill('by-command');
  await snapshot.getByLabel('Description').fill("before Bob's upgrade");
  await snapshot.getByRole('button', { name: 'Add tag' }).click();
  await snapshot.getByLabel('Name of tag 1').fill('team');
  await snapshot.getByLabel('Value of tag 1').fill('web');
  expect(await run(await shown(snapshot, 'Command line'))).toMatch(/by-command|[0-9a-f-]{36}/);
  const params = {
    path: { regionID: web?.status.regionId ?? '' },
    query: { organizationID: [product.organizationId], search: 'by-command' },
  };
  const [image] = await dataOf(product.api.region.GET('/api/v2/regions/{regionID}/images', { params }));
  expect(image?.metadata.description).toBe("before Bob's upgrade");
  expect(image?.metadata.tags).toContainEqual({ name: 'team', value: 'web' });
  const deletion = await opened('delete', 'Delete web-1?');
  expect(await applied(await shown(deletion, 'File'))).toMatch(/web-1/);
  await checked(deletion.page());
  await run(`${await shown(deletion, 'Command line')} --yes`);
  await expect.poll(async () => (await list()).some(({ metadata }) => metadata.id === id)).toBe(false);
});

it('other resources have files and commands for their deletion', async () => {
  const groups = await dataOf(product.api.region.GET('/api/v2/securitygroups'));
  const group = groups.find(({ metadata }) => metadata.name === 'web');
  const page = await product.open(`${place}/security-groups/${group?.metadata.id ?? ''}?dialog=delete`);
  const dialog = page.getByRole('dialog', { name: 'Delete web' });
  expect(await applied(await shown(dialog, 'File'))).toMatch(/web/);
  const organization = `/o/${product.organizationId}`;
  const [user] = await dataOf(
    product.api.identity.GET('/api/v1/organizations/{organizationID}/users', {
      params: { path: { organizationID: product.organizationId } },
    }),
  );
  const people = await product.open(`${organization}/users?dialog=delete&id=${user?.metadata.id ?? ''}`);
  expect(await applied(await shown(people.getByRole('dialog'), 'File'))).toMatch(/@/);
});

it('a place of a matrix is changed by its command, and its file is accepted', async () => {
  const page = await product.open(`/o/${product.organizationId}/groups/roles`);
  const box = page.getByRole('checkbox', { name: 'developers: reader', exact: true });
  await box.focus();
  const same = page.getByRole('region', { name: 'The same as a command, file or request' });
  expect(await applied(await shown(same, 'File'))).toMatch(/developers/);
  await run(await shown(same, 'Command line'));
  await expect.poll(() => box.isChecked()).toBe(true);
});

it('people, groups, projects and service accounts have files that are accepted', async () => {
  const organization = `/o/${product.organizationId}`;
  for (const [list, dialog, field] of [
    ['projects', 'Create project', 'Name'],
    ['groups', 'Create group', 'Name'],
    ['service-accounts', 'Create service account', 'Name'],
    ['users', 'Add person', 'Mail address'],
  ] as const) {
    const page = await product.open(`${organization}/${list}?dialog=new`);
    const form = page.getByRole('dialog', { name: dialog });
    await form.getByRole('textbox', { name: field, exact: true }).fill(list === 'users' ? 'zoe@example.com' : 'zoe');
    expect(await applied(await shown(form, 'File'))).toMatch(/zoe/);
    await page.close();
  }
});

it('an application is created, changed and deleted by the commands that its dialogs show, and its files are accepted', async () => {
  const list = () => dataOf(product.api.identity.GET('/api/v1/oauth2clients'));
  const wiki = async () => (await list()).find(({ metadata }) => metadata.name === 'wiki');
  const page = await product.open('/platform/applications?dialog=new');
  const form = page.getByRole('dialog', { name: 'Register application' });
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('wiki');
  await form.getByLabel('Addresses after login').fill('https://wiki.example.com/in');
  await form.getByLabel('Own login page').fill('https://wiki.example.com/login');
  expect(await applied(await shown(form, 'File'))).toMatch(/wiki/);
  await run(await shown(form, 'Command line'));
  const { metadata } = (await wiki()) ?? {};
  await page.goto(`${product.base}/console/platform/applications?dialog=edit&id=${metadata?.id ?? ''}`);
  const change = page.getByRole('dialog', { name: 'Change wiki' });
  await change.getByLabel('Addresses after login').fill('https://wiki.example.com/in https://wiki.example.com/back');
  await change.getByLabel('Own login page').fill('');
  expect(await applied(await shown(change, 'File'))).toMatch(/wiki/);
  await run(await shown(change, 'Command line'));
  const changed = (await wiki())?.spec;
  expect(changed?.redirectUris).toEqual(['https://wiki.example.com/in', 'https://wiki.example.com/back']);
  expect(changed?.loginUri).toBeUndefined();
  await page.goto(`${product.base}/console/platform/applications?dialog=delete&id=${metadata?.id ?? ''}`);
  const deletion = page.getByRole('dialog', { name: 'Delete wiki' });
  expect(await applied(await shown(deletion, 'File'))).toMatch(/wiki/);
  await run(`${await shown(deletion, 'Command line')} --yes`);
  expect(await wiki()).toBeUndefined();
});

it('a storage class is created and deleted by the commands that its dialogs show, and its files are accepted', async () => {
  const list = () => dataOf(product.api.region.GET('/api/v2/filestorageclasses'));
  const fast = async () => (await list()).find(({ metadata }) => metadata.name === 'fast');
  const page = await product.open('/platform/storage-classes?dialog=new');
  const form = page.getByRole('dialog', { name: 'Create storage class' });
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('fast');
  await form.getByLabel('Region').selectOption('north');
  await form.getByLabel('Organization').selectOption({ index: 1 });
  const ofOne = await shown(form, 'File');
  expect(ofOne).toContain(`organizationId: ${product.organizationId}`);
  expect(await applied(ofOne)).toMatch(/fast/);
  expect(await form.getByRole('button', { name: 'Command line' }).count()).toBe(0);
  await form.getByLabel('Organization').selectOption({ index: 0 });
  expect(await applied(await shown(form, 'File'))).toMatch(/fast/);
  await run(await shown(form, 'Command line'));
  const { metadata } = (await fast()) ?? {};
  await page.goto(`${product.base}/console/platform/storage-classes?dialog=delete&id=${metadata?.id ?? ''}`);
  const deletion = page.getByRole('dialog', { name: 'Delete fast' });
  expect(await applied(await shown(deletion, 'File'))).toMatch(/fast/);
  await run(`${await shown(deletion, 'Command line')} --yes`);
  expect(await fast()).toBeUndefined();
});
