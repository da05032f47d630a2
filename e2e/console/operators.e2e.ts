import { dataOf } from '@unikorn/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, shareConsole } from './console.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;

beforeAll(async () => {
  product = await shareConsole();
});

afterAll(() => product.stop());

/** A name that no other file uses: operators and applications belong to the whole platform. */
const own = (name: string) => `${name}-${product.organizationName}`;

it('an application is registered, its secret is shown once, and it is changed and deleted', async () => {
  const page = await product.open('/platform/applications');
  await page.getByRole('button', { name: 'Register application' }).first().click();
  const form = page.getByRole('dialog', { name: 'Register application' });
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill(own('portal'));
  await form.getByRole('textbox', { name: 'Addresses after login' }).fill('https://portal.example.com/callback');
  await form.getByText('The same as a command, file or request').click();
  await form.getByText(`npx unikorn oauth2client create ${own('portal')}`).waitFor();
  await checked(page);
  await form.getByRole('button', { name: 'Register application' }).click();
  const secret = page.getByRole('dialog', { name: `Secret of ${own('portal')}` });
  await secret.getByText('It is shown only once.').waitFor();
  await checked(page);
  await secret.getByRole('button', { name: 'I stored the secret' }).click();
  const row = page.getByRole('row', { name: own('portal') });
  await row.getByText('https://portal.example.com/callback').waitFor();
  await row.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Change' }).click();
  const change = page.getByRole('dialog', { name: `Change ${own('portal')}` });
  await change
    .getByRole('textbox', { name: 'Addresses after login' })
    .fill('https://portal.example.com/callback\nhttps://new.example.com/callback');
  await change.getByRole('button', { name: 'Save' }).click();
  await change.waitFor({ state: 'hidden' });
  await row.getByText('https://new.example.com/callback').waitFor();
  await row.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: `Delete ${own('portal')}` });
  await dialog.getByLabel(`Type ${own('portal')} to confirm`).fill(own('portal'));
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect.poll(() => row.count()).toBe(0);
});

it('a person becomes an operator, and is none any more; roles of the configuration stay', async () => {
  const page = await product.open('/platform/operators');
  const subject = `${own('eve')}@example.com`;
  await page.getByRole('button', { name: 'Grant roles' }).first().click();
  const form = page.getByRole('dialog', { name: 'Grant roles' });
  await form.getByRole('textbox', { name: 'Person or service account' }).fill(subject);
  await form.getByRole('checkbox', { name: 'platform-reader' }).check();
  await checked(page);
  await form.getByRole('button', { name: 'Grant roles' }).click();
  const row = page.getByRole('row', { name: subject });
  await row.getByText('platform-reader').waitFor();
  await page.getByRole('button', { name: 'Grant roles' }).first().click();
  await form.getByRole('textbox', { name: 'Person or service account' }).fill(subject);
  await form.getByRole('checkbox', { name: 'platform-administrator' }).check();
  const again = form.getByRole('button', { name: 'Grant roles' });
  expect(await again.getAttribute('aria-description')).toContain('has roles already');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await checked(page);
  const fixed = page.getByRole('row', { name: product.administrator.email });
  await fixed.getByRole('button', { name: /^Actions/ }).click();
  await page
    .getByRole('menuitem', { name: /^Revoke/ })
    .getByText('configuration of the server')
    .waitFor();
  await page.keyboard.press('Escape');
  await row.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  const dialog = page.getByRole('dialog', { name: `Revoke the roles of ${subject}` });
  await dialog.getByLabel(`Type ${subject} to confirm`).fill(subject);
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await expect.poll(() => row.count()).toBe(0);
});

it('an administrator describes the organization, and gets the record that proves its mail domain', async () => {
  const { organizationId: organizationID, organizationName, groupIds, api } = product;
  const email = `owner@${organizationName}.example.com`;
  await api.identity.POST('/api/v1/organizations/{organizationID}/users', {
    params: { path: { organizationID } },
    body: { spec: { subject: email, state: 'active', groupIDs: [groupIds.administrators] } },
  });
  const { password = '' } = await dataOf(api.identity.POST('/api/v1/passwords', { body: { subject: email } }));
  const page = await product.open(`/o/${organizationID}/projects`, { email, password });
  await page.getByRole('link', { name: 'Organization settings' }).click();
  await page.getByRole('heading', { name: organizationName }).waitFor();
  await checked(page);
  await page.getByRole('button', { name: 'Change' }).click();
  const form = page.getByRole('dialog', { name: `Change ${organizationName}` });
  await form.getByRole('textbox', { name: 'Description' }).fill('the journeys');
  await form.getByRole('combobox', { name: 'Type' }).selectOption('by mail domain');
  await form.getByRole('textbox', { name: 'Mail domain' }).fill(`${organizationName}.invalid`);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'hidden' });
  await page.getByText('the journeys').waitFor();
  await page.getByRole('button', { name: 'Check the domain' }).click();
  await page.getByText(`unikorn-organization=${organizationID}`).waitFor();
  await checked(page);
  await expect.poll(() => page.getByRole('button', { name: 'Delete' }).getAttribute('aria-disabled')).toBe('true');
});
