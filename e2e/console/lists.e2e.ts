import { dataOf } from '@unikorn/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, shareConsole, type Person } from './console.fixture.ts';
import { held, placeOf, skeletonOf } from './skeleton.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;

beforeAll(async () => {
  product = await shareConsole();
});

afterAll(() => product.stop());

const project = (id: string) => `/o/${product.organizationId}/p/${id}`;

/** Nothing is in the second project. */
const empty = [
  ['instances', 'No instances yet', 'Create instance', 'unikorn instance create'],
  ['networks', 'No networks yet', 'Create network', 'unikorn network create'],
  ['security-groups', 'No security groups yet', 'Create security group', 'unikorn securitygroup create'],
  ['load-balancers', 'No load balancers yet', 'Create load balancer', 'unikorn loadbalancer create'],
  ['file-storage', 'No file storage yet', 'Create file storage', 'unikorn filestorage create'],
  ['ssh-authorities', 'No SSH authorities yet', 'Add SSH authority', 'unikorn sshca create'],
] as const;

it.each(empty)('an empty list says what it is for, and how to begin: %s', async (noun, title, button, command) => {
  const page = await product.open(`${project(product.secondaryProjectId)}/${noun}`);
  await page.getByRole('heading', { name: title }).waitFor();
  await page.getByText(command).waitFor();
  const main = page.getByRole('main');
  const begin = main.getByRole(noun === 'instances' ? 'link' : 'button', { name: button });
  expect(await begin.count()).toBe(2);
  if (noun === 'networks') await checked(page);
  await begin.last().click();
  if (noun === 'instances') await page.getByRole('heading', { name: button }).waitFor();
  else await page.getByRole('dialog', { name: button }).waitFor();
});

it('the list of all instances offers the last project, or the first in which the user may create one', async () => {
  const { id, projects } = await newOrganization('two-projects', ['first', 'second']);
  const page = await product.open(`/o/${id}/instances`);
  await page.getByRole('heading', { name: 'No instances yet' }).waitFor();
  const create = page.getByRole('main').getByRole('link', { name: /^Create instance in/ });
  expect(await create.textContent()).toBe('Create instance in first');
  await page.getByText('--project first').waitFor();
  await checked(page);
  await page.goto(`${product.base}/console/o/${id}/p/${projects[1] ?? ''}/networks`);
  await page.getByRole('heading', { name: 'No networks yet' }).waitFor();
  await page.getByRole('link', { name: 'All instances' }).click();
  await page.getByText('--project second').waitFor();
  await create.click();
  await page.getByRole('heading', { name: 'Create instance' }).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/console/o/${id}/p/${projects[1] ?? ''}/instances/new`);
});

it('the list of all instances of an organization without a project says that it needs one', async () => {
  const { id } = await newOrganization('no-project', []);
  const page = await product.open(`/o/${id}/instances`);
  await page.getByText('This organization has no project that you can see.', { exact: false }).waitFor();
  await page.getByText('unikorn project create').waitFor();
  await checked(page);
  await page.getByRole('main').getByRole('link', { name: 'Create project' }).click();
  await page.getByRole('dialog', { name: 'Create project' }).waitFor();
});

it('the list of all instances says whom to ask, if the user may not create one in any project', async () => {
  const { id } = await newOrganization('only-read', ['first']);
  const path = { organizationID: id };
  const { identity } = product.api;
  const roles = await dataOf(identity.GET('/api/v1/organizations/{organizationID}/roles', { params: { path } }));
  const reading = roles.find(({ metadata }) => metadata.name === 'auditor')?.metadata.id ?? '';
  const { metadata: group } = await dataOf(
    identity.POST('/api/v1/organizations/{organizationID}/groups', {
      params: { path },
      body: { metadata: { name: 'auditors' }, spec: { serviceAccountIDs: [], roleIDs: [reading] } },
    }),
  );
  const page = await product.open(
    `/o/${id}/instances`,
    await personIn(id, group.id, `only-reads-${product.organizationName}@example.com`),
  );
  await page.getByText('Your roles do not let you create an instance in any project.', { exact: false }).waitFor();
  const create = page.getByRole('main').getByRole('button', { name: 'Create instance in first' });
  expect(await create.getAttribute('aria-disabled')).toBe('true');
  await checked(page);
});

/** An organization with these projects, without anything in them. */
async function newOrganization(name: string, projects: readonly string[]) {
  const { identity } = product.api;
  const { metadata } = await dataOf(
    identity.POST('/api/v1/organizations', {
      body: { metadata: { name: `${name}-${product.organizationName}` }, spec: { organizationType: 'adhoc' } },
    }),
  );
  const params = { path: { organizationID: metadata.id } };
  const ids: string[] = [];
  for (const project of projects) {
    const body = { metadata: { name: project }, spec: { groupIDs: [] } };
    const made = await dataOf(identity.POST('/api/v1/organizations/{organizationID}/projects', { params, body }));
    ids.push(made.metadata.id);
  }
  return { id: metadata.id, projects: ids };
}

const opened = [
  ['a network', () => `${project(product.projectId)}/networks`, 'frontend'],
  [
    'an image',
    () => `${project(product.projectId)}/images?region=${product.credentials.regionId ?? ''}`,
    'debian-13-amd64',
  ],
  ['a region', () => '/platform/regions', 'north'],
  ['a project', () => `/o/${product.organizationId}/projects`, 'website'],
  ['an organization', () => '/platform/organizations', () => product.organizationName],
] as const;

it.each(opened)('the name of %s in a list is a link, for the keyboard and for a new tab', async (_what, path, name) => {
  const page = await product.open(path());
  const link = page
    .getByRole('table')
    .getByRole('link', { name: typeof name === 'string' ? name : name(), exact: true });
  const [other] = await Promise.all([page.context().waitForEvent('page'), link.click({ button: 'middle' })]);
  const href = (await link.getAttribute('href')) ?? '?';
  const address = (url: URL) => url.href.endsWith(href);
  await other.waitForURL(address);
  await link.press('Enter');
  await page.waitForURL(address);
});

it('without the right to create, the button of an empty list can be reached, and says why', async () => {
  const email = `reader-${product.organizationName}@example.com`;
  const reader = await personIn(product.organizationId, product.groupIds.readers, email);
  const page = await product.open(`${project(product.projectId)}/load-balancers`, reader);
  await page.getByRole('heading', { name: 'No load balancers yet' }).waitFor();
  const begin = page.getByRole('button', { name: 'Create load balancer' }).last();
  await begin.focus();
  expect(await begin.getAttribute('aria-disabled')).toBe('true');
  expect(await begin.getAttribute('aria-description')).toMatch(/role/i);
});

async function personIn(organization: string, group: string, email: string): Promise<Person> {
  await product.api.identity.POST('/api/v1/organizations/{organizationID}/users', {
    params: { path: { organizationID: organization } },
    body: { spec: { subject: email, state: 'active', groupIDs: [group] } },
  });
  const { password = '' } = await dataOf(product.api.identity.POST('/api/v1/passwords', { body: { subject: email } }));
  return { email, password };
}

it.each([
  ['instances', /compute\/api\/v2\/instances/, 1280],
  ['networks', /region\/api\/v2\/networks/, 1280],
  ['networks', /region\/api\/v2\/networks/, 360],
] as const)('a list that is not known yet has its final size: %s, %s at %i px', async (noun, path, width) => {
  const page = await product.open('/settings');
  await page.setViewportSize({ width, height: 800 });
  const release = await held(page, path);
  await page.goto(`${product.base}/console${project(product.projectId)}/${noun}`);
  const skeleton = skeletonOf(page);
  await skeleton.waitFor();
  if (width > 1000) await checked(page);
  const before = await placeOf(skeleton.locator('> *').first());
  const filter = await placeOf(page.getByRole('searchbox'));
  release();
  const first = page
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })
    .first();
  await first.waitFor();
  const { height, ...place } = await placeOf(first);
  expect(place).toEqual({ x: before.x, y: before.y });
  // On a narrow screen, a card is as high as its content.
  expect(Math.abs(height - before.height)).toBeLessThanOrEqual(width > 1000 ? 0 : 24);
  expect(await placeOf(page.getByRole('searchbox'))).toEqual(filter);
  expect(await skeleton.count()).toBe(0);
});

it('the page of a resource that is not known yet has its final size', async () => {
  const page = await product.open('/settings');
  const release = await held(page, /region\/api\/v2\/networks/);
  await page.goto(`${product.base}/console${project(product.projectId)}/networks/${product.networkId}`);
  const skeleton = skeletonOf(page);
  await skeleton.waitFor();
  await checked(page);
  const before = await placeOf(skeleton.locator('> :last-child > :first-child > :first-child'));
  release();
  const details = page.getByRole('region', { name: 'Details' });
  await details.waitFor();
  expect(await placeOf(details)).toEqual(before);
  await page.getByRole('group', { name: 'What this needs, and in which state it is' }).waitFor();
  expect(await placeOf(details)).toEqual(before);
});

it.each([1280, 360])('the activity that is not known yet has its final size, at %i px', async (width) => {
  const page = await product.open('/settings');
  await page.setViewportSize({ width, height: 800 });
  const release = await held(page, /\/api\/.*activity/);
  await page.goto(`${product.base}/console/o/${product.organizationId}/activity`);
  const skeleton = skeletonOf(page);
  await skeleton.waitFor();
  if (width > 1000) await checked(page);
  const before = await Promise.all([skeleton.locator('> *').first(), page.getByRole('searchbox')].map(placeOf));
  const { x, y } = await placeOf(skeleton.getByRole('listitem').first());
  release();
  const day = page.getByRole('main').getByRole('region').first();
  await day.waitFor();
  expect(await Promise.all([day.locator('> *').first(), page.getByRole('searchbox')].map(placeOf))).toEqual(before);
  expect(await placeOf(day.getByRole('listitem').first())).toMatchObject({ x, y });
  expect(await skeleton.count()).toBe(0);
});

it.each([
  ['groups/roles', /\/api\/.*\/groups/],
  ['projects/groups', /\/api\/.*\/projects/],
] as const)('a matrix that is not known yet has its final size: %s', async (path, answers) => {
  const page = await product.open('/settings');
  const release = await held(page, answers);
  await page.goto(`${product.base}/console/o/${product.organizationId}/${path}`);
  const skeleton = skeletonOf(page);
  await skeleton.waitFor();
  await checked(page);
  const title = page.locator('thead tr');
  const firstRow = page.locator('tbody tr').first();
  const before = await Promise.all([page.getByRole('searchbox'), title, firstRow].map(placeOf));
  release();
  await page.getByRole('checkbox').first().waitFor();
  expect(await Promise.all([page.getByRole('searchbox'), title, firstRow].map(placeOf))).toEqual(before);
  expect(await skeleton.count()).toBe(0);
});

it('the form of a region that is not known yet has its final size, and takes nothing', async () => {
  const { regionId = '' } = product.credentials;
  const page = await product.open('/settings');
  const release = await held(page, /\/api\/.*\/settings/);
  await page.goto(`${product.base}/console/platform/regions/${regionId}/change`);
  const skeleton = skeletonOf(page);
  await skeleton.waitFor();
  await page.getByRole('heading', { name: 'Change ' }).waitFor();
  await checked(page);
  const parts = ['Name and access', 'Connection', 'Review'].map((name) =>
    page.locator(`section[aria-label="${name}"]`),
  );
  const before = await Promise.all(parts.map(placeOf));
  await page.locator('form').getByText('Name', { exact: true }).first().click({ force: true });
  expect(await page.evaluate('document.activeElement?.tagName')).not.toBe('INPUT');
  release();
  const name = page.getByRole('textbox', { name: 'Name' });
  await expect.poll(() => name.inputValue()).not.toBe('');
  expect(await Promise.all(parts.map(placeOf))).toEqual(before);
  expect(await skeleton.count()).toBe(0);
});

it.each([
  ['p/$project/networks?sort=purple&dialog=x&chip=y', 'sort=purple, dialog=x, chip=y'],
  ['p/$project/instances?status=purple&cols=status,purple&sort=-tags', 'status=purple, cols=status,purple, sort=-tags'],
  ['p/$project/activity?kind=purple', 'kind=purple'],
  ['quotas?kind=purple&dialog=x', 'dialog=x, kind=purple'],
])('values that a list does not know are named, and removed from the address: %s', async (path, named) => {
  const address = `/o/${product.organizationId}/${path.replace('$project', product.projectId)}`;
  const page = await product.open(address);
  await page.getByText(`ignores them: ${named}`).waitFor();
  await expect.poll(() => new URL(page.url()).search).toBe('');
});

it('a list that cannot be read is not called empty, and nothing in it is called deleted', async () => {
  const page = await product.open('/settings');
  const networks = `${product.base}/console${project(product.projectId)}/networks`;
  for (const [path, heading] of [
    [networks, 'Networks'],
    [`${networks}/${product.networkId}`, 'frontend'],
  ] as const) {
    await page.route(/region\/api\/v2\/networks/, (route) =>
      route.fulfill({ status: 500, json: { error: 'server_error', error_description: 'the store is away' } }),
    );
    await page.goto(path);
    await page.getByRole('main').getByText('The store is away').waitFor();
    await page.getByText('No connection to the server. Reconnecting').waitFor();
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    expect(await page.getByText(/No networks yet|deleted network/).count()).toBe(0);
    await page.unrouteAll();
    await page.getByRole('heading', { name: heading }).waitFor();
    await page.getByText('frontend').first().waitFor();
    await page.getByText('No connection to the server').waitFor({ state: 'hidden' });
  }
});

it('the frame stays when a page fails', async () => {
  const page = await product.open(`/o/${product.organizationId}/projects`);
  await page.route('**/assets/project-story*', (route) => route.abort());
  await page.getByRole('button', { name: 'Actions for website' }).click();
  await page.getByRole('menuitem', { name: 'State and history' }).click();
  await page.getByRole('heading', { name: 'This page failed' }).waitFor();
  await page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Groups' }).click();
  await page.getByRole('heading', { name: 'Groups' }).waitFor();
});

it('the title of the browser tab names the object, and the part of its page', async () => {
  const networks = `${project(product.projectId)}/networks`;
  const page = await product.open(`${networks}/${product.networkId}`);
  await expect.poll(() => page.title()).toBe('frontend · Unikorn');
  await page.getByRole('link', { name: 'History', exact: true }).click();
  await expect.poll(() => page.title()).toBe('History · frontend · Unikorn');
  await page.goto(`${product.base}/console${project(product.projectId)}/instances`);
  await page.getByRole('link', { name: 'web-1' }).click();
  await expect.poll(() => page.title()).toBe('web-1 · Unikorn');
  await page.getByRole('link', { name: 'Console', exact: true }).click();
  await expect.poll(() => page.title()).toBe('Console · web-1 · Unikorn');
});
