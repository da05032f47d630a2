import { dataOf } from '@unikorn/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, shareConsole } from './console.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;

beforeAll(async () => {
  product = await shareConsole();
});

afterAll(() => product.stop());

const below = (page: string) => `/o/${product.organizationId}/${page}`;

it('a quota shows which resources of which projects use it', async () => {
  const page = await product.open(below('quotas'));
  await page.getByRole('button', { name: 'Show uses: Servers' }).click();
  const uses = page.getByRole('table', { name: 'Uses of Servers' });
  await uses.getByRole('link', { name: 'web-1', exact: true }).waitFor();
  expect(page.url()).toMatch(/kind=servers/);
  await checked(page);
});

it('an operator changes a limit, and the page shows it', async () => {
  const page = await product.open(below('quotas'));
  await page.getByRole('button', { name: 'Change limits' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the limits of the organization' });
  await dialog.getByLabel('Networks').fill('7');
  await checked(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('meter', { name: 'Networks' }).and(page.locator('[aria-valuemax="7"]')).waitFor();
});

it('a project is created for a group, changed, and deleted by its name', async () => {
  const page = await product.open(below('projects'));
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('shop');
  await page.getByLabel('developers').check();
  await checked(page);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('row', { name: /shop ready developers/ }).waitFor();
  await checked(page);
  await page.getByRole('button', { name: 'Actions for shop' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByText('No instance, network, load balancer or file storage is in it.').waitFor();
  await page.getByLabel('Type shop to confirm').fill('shop');
  await checked(page);
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect.poll(() => page.getByRole('row', { name: /^shop/ }).count(), { timeout: 30_000 }).toBe(0);
});

it('a person is added, invited by a link, and suspended', async () => {
  const page = await product.open(below('users'));
  await page.getByText('The password of a person comes from an operator of the platform.').waitFor();
  await page.getByRole('button', { name: 'Add person' }).first().click();
  await page.getByRole('textbox', { name: 'Mail address' }).fill('dora@example.com');
  await page.getByLabel('readers').check();
  await checked(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Add person' }).click();
  await page.getByRole('row', { name: /dora@example.com active/ }).waitFor();
  await page.getByRole('button', { name: 'Actions for dora@example.com' }).click();
  await page.getByRole('menuitem', { name: 'Create invitation link' }).click();
  await page.getByRole('button', { name: 'Create invitation link' }).click();
  await page.getByLabel('Create invitation link').getByText(product.base).waitFor();
  await checked(page);
  await page.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: 'Actions for dora@example.com' }).click();
  await page.getByRole('menuitem', { name: 'Change' }).click();
  await page.getByRole('combobox', { name: 'State' }).selectOption('suspended');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /dora@example.com suspended/ }).waitFor();
  await checked(page);
});

it('a group is created with a role and members, and roles show their permissions', async () => {
  const page = await product.open(below('groups'));
  await page.getByRole('button', { name: 'Create group' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('testers');
  await page.getByLabel('reader', { exact: true }).check();
  await page.getByLabel('dora@example.com').check();
  await checked(page);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('row', { name: /testers reader 1/ }).waitFor();
  await checked(page);
  await page.getByRole('link', { name: 'Roles' }).click();
  await page.getByRole('heading', { name: 'Roles' }).waitFor();
  await page.getByRole('row', { name: /^reader/ }).click();
  await page.getByRole('dialog', { name: 'Permissions of reader' }).getByText('compute:instances').first().waitFor();
  await checked(page);
});

it('roles of groups and groups of projects are changed in a matrix, which says what cannot be granted', async () => {
  const page = await product.open(below('groups'));
  await page.getByRole('link', { name: 'Matrix' }).click();
  const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
  await expect.poll(() => box('readers: reader').isChecked()).toBe(true);
  await box('readers: auditor').click();
  await expect.poll(() => box('readers: auditor').isChecked()).toBe(true);
  const rolesOf = async () => {
    const { spec } = await dataOf(
      product.api.identity.GET('/api/v1/organizations/{organizationID}/groups/{groupid}', {
        params: { path: { organizationID: product.organizationId, groupid: product.groupIds.readers } },
      }),
    );
    return spec.roleIDs.length;
  };
  expect(await rolesOf()).toBe(2);
  await checked(page);
  await box('readers: auditor').click();
  const question = page.getByRole('dialog', { name: 'Remove auditor from readers' });
  await question.getByText('lose the permissions').waitFor();
  await checked(page);
  await question.getByRole('button', { name: 'Remove' }).click();
  await expect.poll(() => box('readers: auditor').isChecked()).toBe(false);
  expect(await rolesOf()).toBe(1);
  await page.goto(`${product.base}/console${below('projects/groups')}`);
  await box('research: readers').click();
  await expect.poll(() => box('research: readers').isChecked()).toBe(true);
  await checked(page);
  // Another user changes the project between the click and the request that saves it.
  const params = { path: { organizationID: product.organizationId, projectID: product.secondaryProjectId } };
  await page.route(
    `**/projects/${product.secondaryProjectId}`,
    async (route) => {
      await product.api.identity.PUT('/api/v1/organizations/{organizationID}/projects/{projectID}', {
        params,
        body: { metadata: { name: 'research', description: 'theirs' }, spec: { groupIDs: [] } },
      });
      await route.continue();
    },
    { times: 1 },
  );
  await box('research: auditors').click();
  await expect.poll(() => box('research: auditors').isChecked()).toBe(true);
  await expect.poll(() => box('research: readers').isChecked()).toBe(false);
  const project = await dataOf(
    product.api.identity.GET('/api/v1/organizations/{organizationID}/projects/{projectID}', { params }),
  );
  expect([project.metadata.description, project.spec.groupIDs]).toEqual(['theirs', [product.groupIds.auditors]]);
});

it('the matrix is used with the keyboard alone, shows each change as a command, and says beside a row why it failed', async () => {
  const page = await product.open(below('groups/roles'));
  const box = (name: string) => page.getByRole('checkbox', { name, exact: true });
  const hasFocus = async (name: string) => (await box(name).and(page.locator(':focus')).count()) === 1;
  await box('developers: user').focus();
  for (const key of ['ArrowDown', 'ArrowLeft']) await page.keyboard.press(key);
  expect(await hasFocus('readers: reader')).toBe(true);
  await page.keyboard.press('ArrowRight');
  expect(await hasFocus('readers: user')).toBe(true);
  const same = page.getByRole('region', { name: 'The same as a command, file or request' });
  await same.getByText('Add user to readers').waitFor();
  await same.getByText('The same as a command').click();
  const command = same.getByLabel('Command line', { exact: true });
  await command.getByText('npx unikorn group update readers').waitFor();
  expect(await command.innerText()).toMatch(/--role reader \\\n {2}--role user \\\n {2}--organization/);
  await checked(page);
  await box('readers: user').focus();
  await page.keyboard.press('Space');
  await expect.poll(() => box('readers: user').isChecked()).toBe(true);
  expect(await hasFocus('readers: user')).toBe(true);
  await page.keyboard.press('Space');
  const question = page.getByRole('dialog', { name: 'Remove user from readers' });
  await question.getByText('The same as a command').waitFor();
  await checked(page);
  await question.getByRole('button', { name: 'Remove' }).focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => box('readers: user').isChecked()).toBe(false);
  await expect.poll(() => hasFocus('readers: user')).toBe(true);
  // The server does not answer.
  await page.route(`**/groups/${product.groupIds.readers}`, (route) => route.abort());
  await page.keyboard.press('Space');
  await page.getByRole('cell').getByText('The server cannot be reached').waitFor();
  expect(await box('readers: user').isChecked()).toBe(false);
  expect(await hasFocus('readers: user')).toBe(true);
  await checked(page, [/Failed to load resource/]);
});

it('the token of a service account is shown once, works, and is replaced', async () => {
  const page = await product.open(below('service-accounts'));
  await page.getByRole('button', { name: 'Create service account' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('deploy');
  await page.getByLabel('developers').check();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const shown = page.getByRole('dialog', { name: 'Token of deploy' });
  const token = await shown.getByLabel('Token', { exact: true }).innerText();
  await checked(page);
  await page.keyboard.press('Escape');
  await shown.getByRole('button', { name: 'I stored the token' }).click();
  const read = (bearer: string) =>
    page.request.get(`${product.base}/identity/api/v1/organizations`, {
      headers: { authorization: `Bearer ${bearer}` },
    });
  expect((await read(token)).status()).toBe(200);
  await page.getByRole('button', { name: 'Actions for deploy' }).click();
  await page.getByRole('menuitem', { name: 'Issue a new token' }).click();
  await page.getByRole('button', { name: 'Issue a new token' }).click();
  const replaced = await shown.getByLabel('Token', { exact: true }).innerText();
  expect((await read(replaced)).status()).toBe(200);
  await expect.poll(async () => (await read(token)).status()).toBe(401);
});

it('after a lost answer to a creation, a new token is issued', async () => {
  const page = await product.open(below('service-accounts'));
  // The service creates the account; its answer does not arrive.
  await page.route('**/serviceaccounts', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch();
    return route.abort();
  });
  await page.getByRole('button', { name: 'Create service account' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('nightly');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const form = page.getByRole('dialog', { name: 'Create service account' });
  await form.getByText('The answer was lost').waitFor();
  await form.getByRole('button', { name: 'Issue a new token' }).click();
  const question = page.getByRole('dialog', { name: 'Issue a new token for nightly' });
  await question.getByRole('button', { name: 'Issue a new token' }).click();
  const shown = page.getByRole('dialog', { name: 'Token of nightly' });
  expect(await shown.getByLabel('Token', { exact: true }).innerText()).toMatch(/^uksa_/);
  await page.keyboard.press('Escape');
  await shown.getByRole('button', { name: 'I stored the token' }).click();
  await shown.waitFor({ state: 'hidden' });
});

it('a login provider is added, and its secret is never shown', async () => {
  const page = await product.open(below('login-providers'));
  await page.getByRole('heading', { name: 'No login providers yet' }).waitFor();
  await checked(page);
  await page.getByRole('button', { name: 'Add login provider' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('corporate');
  await page.getByRole('textbox', { name: 'Issuer' }).fill('https://login.example.com');
  await page.getByRole('textbox', { name: 'Client id' }).fill('unikorn');
  await page.getByLabel('Client secret').fill('very-secret');
  await checked(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Add login provider' }).click();
  await page.getByRole('row', { name: /corporate/ }).waitFor();
  expect(await page.content()).not.toContain('very-secret');
});
