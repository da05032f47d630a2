import { dataOf } from '@unikorn/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, shareConsole, type Person } from './console.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;

beforeAll(async () => {
  product = await shareConsole();
});

afterAll(() => product.stop());

type GroupName = keyof typeof product.groupIds;

const people = new Map<string, Promise<Person>>();

/** A person in one group of the organization, made once. */
function person(group: GroupName, name: string = group): Promise<Person> {
  const made = people.get(name) ?? makePerson(group, name);
  people.set(name, made);
  return made;
}

async function makePerson(group: GroupName, name: string): Promise<Person> {
  const email = `${name}@${product.organizationName}.example.com`;
  await product.api.identity.POST('/api/v1/organizations/{organizationID}/users', {
    params: { path: { organizationID: product.organizationId } },
    body: { spec: { subject: email, state: 'active', groupIDs: [product.groupIds[group]] } },
  });
  const { password = '' } = await dataOf(product.api.identity.POST('/api/v1/passwords', { body: { subject: email } }));
  return { email, password };
}

const inProject = (page: string) => `/o/${product.organizationId}/p/${product.projectId}/${page}`;
const project = [
  'Instances',
  'Networks',
  'Security groups',
  'Load balancers',
  'File storage',
  'SSH authorities',
  'Images',
];
const identity = ['Projects', 'People', 'Groups', 'Roles', 'Service accounts', 'Login providers'];

/** The entries of the rail, without those that only some versions of the product have. */
async function entries(page: Page): Promise<readonly string[]> {
  const navigation = page.getByRole('navigation', { name: 'Main navigation' });
  await navigation.getByRole('link', { name: 'Instances', exact: true }).waitFor();
  const titles = await navigation.getByRole('listitem').allTextContents();
  return titles.filter((title) => [...project, 'Quotas', ...identity].includes(title));
}

/** Why a button cannot be used: it stays focusable, and says so. */
async function reasonOf(page: Page, name: string): Promise<string> {
  const button = page.getByRole('button', { name, exact: true }).first();
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
  await expect.poll(() => button.getAttribute('aria-description')).not.toBe('Loading…');
  await button.hover();
  const reason = (await button.getAttribute('aria-description')) ?? '';
  await page.getByText(reason).first().waitFor();
  return reason;
}

it('a reader sees the project and its quotas, can change nothing, and reads why', async () => {
  const page = await product.open(inProject('instances'), await person('readers'));
  expect(await entries(page)).toEqual([...project, 'Quotas', 'Projects']);
  expect(await reasonOf(page, 'Create instance')).toMatch(/role/i);
  await checked(page);
  await page.getByRole('checkbox', { name: 'Select web-1' }).check();
  expect(await reasonOf(page, 'Delete')).toMatch(/role/i);
  await page.getByRole('link', { name: 'web-1' }).click();
  await page.getByRole('heading', { name: 'web-1' }).waitFor();
  expect(await reasonOf(page, 'Stop')).toMatch(/role|permission/i);
  await checked(page, [/403/]);
  await page.goto(`${product.base}/console${inProject('networks')}`);
  expect(await reasonOf(page, 'Create network')).toMatch(/role/i);
  await checked(page, [/403/]);
});

it('an auditor sees the whole organization, and can change nothing in it', async () => {
  const page = await product.open(inProject('instances'), await person('auditors'));
  expect(await entries(page)).toEqual([...project, 'Quotas', ...identity]);
  for (const [path, button] of [
    ['users', 'Add person'],
    ['groups', 'Create group'],
    ['projects', 'Create project'],
    ['service-accounts', 'Create service account'],
  ]) {
    await page.goto(`${product.base}/console/o/${product.organizationId}/${path ?? ''}`);
    expect(await reasonOf(page, button ?? ''), path).toMatch(/role/i);
  }
  await checked(page, [/403/]);
});

/** The menu of a row says, for each of these verbs, what the service says. */
async function refusesInMenu(page: Page, row: string, area: string, verbs: readonly string[]): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${row}`, exact: true }).click();
  const reasons = page.getByRole('menuitem', { disabled: true }).getByText('your roles');
  await expect
    .poll(() => reasons.allTextContents())
    .toEqual(verbs.map((verb) => `your roles do not allow ${verb} on ${area} here`));
}

it('the menu of a row says why the service would refuse each action', async () => {
  const { organizationId: organizationID, api } = product;
  const params = { path: { organizationID } };
  await api.identity.POST('/api/v1/organizations/{organizationID}/serviceaccounts', {
    params,
    body: { metadata: { name: 'robot' }, spec: { groupIDs: [] } },
  });
  await api.identity.POST('/api/v1/organizations/{organizationID}/oauth2providers', {
    params,
    body: { metadata: { name: 'corporate' }, spec: { issuer: 'https://login.example.com', clientID: 'unikorn' } },
  });
  const reader = await person('readers');
  const page = await product.open(inProject('instances'), await person('auditors'));
  for (const [list, row, area, verbs] of [
    ['users', reader.email, 'users', ['update', 'update', 'delete']],
    ['groups', 'readers', 'groups', ['update', 'delete']],
    ['projects', 'research', 'projects', ['update', 'delete']],
    ['login-providers', 'corporate', 'oauth2providers', ['update', 'delete']],
    ['service-accounts', 'robot', 'serviceaccounts', ['update', 'update', 'delete']],
  ] as const) {
    await page.goto(`${product.base}/console/o/${organizationID}/${list}`);
    await refusesInMenu(page, row, `identity:${area}`, verbs);
    await checked(page, [/403/]);
  }
});

it('an operator who only reads sees the same in the lists of the platform', async () => {
  const { organizationName, api } = product;
  const email = `watcher@${organizationName}.example.com`;
  await api.identity.PUT('/api/v1/globalroles/{subject}', {
    params: { path: { subject: email } },
    body: { roles: ['platform-reader'] },
  });
  const { password = '' } = await dataOf(api.identity.POST('/api/v1/passwords', { body: { subject: email } }));
  const application = `reports-${organizationName}`;
  await api.identity.POST('/api/v1/oauth2clients', {
    body: { metadata: { name: application }, spec: { redirectUris: ['https://reports.example.com/callback'] } },
  });
  const page = await product.open('/platform/operators', { email, password });
  await refusesInMenu(page, email, 'identity:roles', ['update', 'delete']);
  await page.goto(`${product.base}/console/platform/applications`);
  await refusesInMenu(page, application, 'identity:oauth2clients', ['update', 'update', 'delete']);
  await page.goto(`${product.base}/console/platform/organizations`);
  await refusesInMenu(page, organizationName, 'identity:organizations', ['update', 'delete']);
  await page.goto(`${product.base}/console/platform/storage-classes`);
  await page
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .click();
  await page.getByText('your roles do not allow delete on region:filestorageclass:v2 here').waitFor();
  await page.goto(`${product.base}/console/platform/regions/${product.credentials.regionId ?? ''}`);
  expect(await reasonOf(page, 'Change')).toBe('your roles do not allow update on region:regions here');
  await checked(page, [/403/]);
});

it('a user works in the project, and does not see the people of the organization', async () => {
  const page = await product.open(inProject('instances'), await person('developers'));
  expect(await entries(page)).toEqual([...project, 'Quotas', 'Projects']);
  await page.getByRole('link', { name: 'Create instance' }).waitFor();
  await page.goto(`${product.base}/console${inProject('networks')}`);
  const create = page.getByRole('button', { name: 'Create network' });
  await create.waitFor();
  await expect.poll(() => create.getAttribute('aria-disabled')).toBeNull();
  await page.goto(`${product.base}/console/o/${product.organizationId}/quotas`);
  expect(await reasonOf(page, 'Change limits')).toBe('your roles do not allow update on identity:quotas here');
  await checked(page, [/403/]);
});

it('an administrator does everything in the organization, except what is for operators', async () => {
  const page = await product.open(inProject('instances'), await person('administrators'));
  expect(await entries(page)).toEqual([...project, 'Quotas', ...identity]);
  const navigation = page.getByRole('navigation', { name: 'Main navigation' });
  expect(await navigation.getByRole('heading', { name: 'Platform' }).count()).toBe(0);
  await page.goto(`${product.base}/console/o/${product.organizationId}/users`);
  await page.getByRole('button', { name: 'Add person' }).first().click();
  await page.getByRole('dialog', { name: 'Add person' }).waitFor();
  await page.goto(`${product.base}/console/o/${product.organizationId}/quotas`);
  expect(await reasonOf(page, 'Change limits')).toBe('your roles do not allow update on identity:quotas here');
  await checked(page, [/403/]);
});

it('a read that is refused fetches the rights again, and the page no longer offers what is gone', async () => {
  const developer = await person('developers', 'leaver');
  const page = await product.open(inProject('instances'), developer);
  expect(await entries(page)).toEqual([...project, 'Quotas', 'Projects']);
  let reads = 0;
  page.on('request', (request) => {
    if (request.url().endsWith(`/organizations/${product.organizationId}/acl`)) reads += 1;
  });
  await withdraw(developer);
  const navigation = page.getByRole('navigation', { name: 'Main navigation' });
  await navigation.getByRole('link', { name: 'Quotas' }).click();
  await navigation.getByRole('link', { name: 'Networks' }).waitFor({ state: 'detached' });
  // Without any right in the organization, nothing of it is shown, and nothing is read any more.
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  expect(reads).toBeLessThanOrEqual(3);
});

async function withdraw({ email }: Person): Promise<void> {
  const { identity } = product.api;
  const path = { organizationID: product.organizationId };
  const users = await dataOf(identity.GET('/api/v1/organizations/{organizationID}/users', { params: { path } }));
  const userID = users.find(({ spec }) => spec.subject === email)?.metadata.id ?? '';
  await dataOf(
    identity.PUT('/api/v1/organizations/{organizationID}/users/{userID}', {
      params: { path: { ...path, userID } },
      body: { spec: { subject: email, state: 'active', groupIDs: [] } },
    }),
  );
}
