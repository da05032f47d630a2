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

async function instanceNamed(name: string) {
  const query = { projectID: [product.projectId] };
  const instances = await dataOf(product.api.compute.GET('/api/v2/instances', { params: { query } }));
  const found = instances.find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`there is no instance ${name}`);
  return found;
}

async function groupNamed(name: string) {
  const query = { organizationID: [product.organizationId], projectID: [product.projectId] };
  const groups = await dataOf(product.api.region.GET('/api/v2/securitygroups', { params: { query } }));
  const found = groups.find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`there is no group ${name}`);
  return found;
}

/** The button of the offer. With the focus on it, the time does not pass. */
async function offered(page: Page, sentence: string) {
  await page.getByRole('status').getByText(sentence).waitFor();
  const undo = page.getByRole('button', { name: 'Undo', exact: true });
  await undo.focus();
  return undo;
}

it('protection is turned on, and undone: the old value is written back', async () => {
  const { metadata } = await instanceNamed('web-1');
  const page = await product.open(`${list}/${metadata.id}/settings`);
  await page.getByRole('checkbox', { name: 'Protect against deletion' }).click();
  const undo = await offered(page, 'web-1 is protected against deletion.');
  await checked(page);
  await undo.focus();
  expect((await instanceNamed('web-1')).spec.deletionProtection).toBe(true);
  await undo.click();
  await page.getByText('Undone. The old value is back.').waitFor();
  expect((await instanceNamed('web-1')).spec.deletionProtection).not.toBe(true);
  await expect.poll(() => page.getByRole('checkbox', { name: 'Protect against deletion' }).isChecked()).toBe(false);
});

it('an offer goes away by itself, and nothing is undone', async () => {
  const { metadata } = await instanceNamed('web-2');
  const page = await product.open(`${list}/${metadata.id}/settings`);
  await page.getByRole('checkbox', { name: 'Protect against deletion' }).click();
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor({ state: 'hidden', timeout: 60_000 });
  expect((await instanceNamed('web-2')).spec.deletionProtection).toBe(true);
});

it('tags that another user changed since are not undone, and the page says so', async () => {
  const { metadata } = await instanceNamed('web-1');
  const page = await product.open(`${list}/${metadata.id}?dialog=tags`);
  const dialog = page.getByRole('dialog', { name: 'Tags of web-1' });
  await dialog.getByLabel('Name of tag 1').fill('team');
  await dialog.getByLabel('Value of tag 1').fill('web');
  await dialog.getByRole('button', { name: 'Save' }).click();
  const undo = await offered(page, 'The tags of web-1 were changed.');
  const current = await instanceNamed('web-1');
  expect(current.metadata.tags).toEqual([{ name: 'team', value: 'web' }]);
  await product.api.compute.PUT('/api/v2/instances/{instanceID}', {
    params: { path: { instanceID: metadata.id } },
    body: { metadata: { name: 'web-1', tags: [{ name: 'team', value: 'shop' }] }, spec: current.spec },
  });
  await undo.click();
  const refusal = page.getByRole('alert').filter({ hasText: 'Not undone' });
  await refusal.getByText('Another user has changed web-1 since. Their change stays.').waitFor();
  await checked(page);
  expect((await instanceNamed('web-1')).metadata.tags).toEqual([{ name: 'team', value: 'shop' }]);
});

it('rules are undone without the loss of another change of the group', async () => {
  const { metadata, spec } = await groupNamed('web');
  const page = await product.open(
    `/o/${product.organizationId}/p/${product.projectId}/security-groups/${metadata.id}?dialog=edit`,
  );
  await page.getByRole('button', { name: 'Add a preset' }).click();
  await page.getByRole('menuitem', { name: 'Ping (ICMP)' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  const undo = await offered(page, 'The rules of web were changed.');
  await checked(page);
  const changed = await groupNamed('web');
  expect(changed.spec.rules).toHaveLength(spec.rules.length + 1);
  await product.api.region.PUT('/api/v2/securitygroups/{securityGroupID}', {
    params: { path: { securityGroupID: metadata.id } },
    body: { metadata: { name: 'web', description: 'for the shop' }, spec: { rules: changed.spec.rules } },
  });
  await undo.focus();
  await undo.click();
  await page.getByText('Undone. The old value is back.').waitFor();
  const now = await groupNamed('web');
  expect(now.spec.rules).toEqual(spec.rules);
  expect(now.metadata.description).toBe('for the shop');
});
