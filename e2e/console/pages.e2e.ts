import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, goInside, shareConsole } from './console.fixture.ts';
import { furnishEverything } from './everything.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;
let page: Page;
/** The values of the parameters of addresses, by what they are. */
let ids: Readonly<Record<string, string>>;

beforeAll(async () => {
  product = await shareConsole();
  ids = await furnishEverything(product);
  page = await product.open('/settings');
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
});

afterAll(() => product.stop());

const project = '/o/$org/p/$project';

/**
 * Which resource the address of a page names, and what shows that the page has its content. Of a page without a line
 * here, only the heading is known.
 */
const pages: Readonly<Record<string, { readonly id?: string; readonly shows: string | RegExp }>> = {
  '/': { shows: 'Instances' },
  '/settings': { shows: 'Theme' },
  '/i/$id': { id: 'gone', shows: 'departed' },
  [`${project}/instances`]: { shows: 'web-1' },
  [`${project}/instances/new`]: { shows: 'sim-standard-4' },
  [`${project}/instances/$id`]: { id: 'instance', shows: 'What it needs' },
  [`${project}/instances/$id/network`]: { id: 'instance', shows: 'Rules of all security groups' },
  [`${project}/instances/$id/console`]: { id: 'instance', shows: 'Console output' },
  [`${project}/instances/$id/history`]: { id: 'instance', shows: 'create' },
  [`${project}/instances/$id/settings`]: { id: 'instance', shows: 'Protect against deletion' },
  [`${project}/networks`]: { shows: '10.0.0.0/24' },
  [`${project}/networks/$id`]: { id: 'network', shows: '10.0.0.0/24' },
  [`${project}/networks/$id/history`]: { id: 'network', shows: 'create' },
  [`${project}/security-groups`]: { shows: 'web' },
  [`${project}/security-groups/$id`]: { id: 'securitygroup', shows: '443' },
  [`${project}/security-groups/$id/history`]: { id: 'securitygroup', shows: 'create' },
  [`${project}/load-balancers`]: { shows: 'edge' },
  [`${project}/load-balancers/$id`]: { id: 'loadbalancer', shows: 'http · tcp 80' },
  [`${project}/load-balancers/$id/history`]: { id: 'loadbalancer', shows: 'create' },
  [`${project}/file-storage`]: { shows: 'shared' },
  [`${project}/file-storage/$id`]: { id: 'filestorage', shows: 'Attachments' },
  [`${project}/file-storage/$id/history`]: { id: 'filestorage', shows: 'create' },
  [`${project}/ssh-authorities`]: { shows: /SHA256:/ },
  [`${project}/ssh-authorities/$id`]: { id: 'sshca', shows: /^ssh-ed25519 AAAA/ },
  [`${project}/ssh-authorities/$id/history`]: { id: 'sshca', shows: 'create' },
  [`${project}/images`]: { shows: 'debian-13-amd64' },
  [`${project}/images/$region/$id`]: { id: 'image', shows: 'debian' },
  [`${project}/images/$region/$id/history`]: { id: 'image', shows: 'create' },
  '/o/$org/instances': { shows: 'web-1' },
  '/o/$org/quotas': { shows: 'Servers' },
  '/o/$org/projects': { shows: 'research' },
  '/o/$org/users': { shows: /eve@/ },
  '/o/$org/groups': { shows: 'developers' },
  '/o/$org/groups/roles': { shows: 'developers' },
  '/o/$org/projects/groups': { shows: 'research' },
  '/o/$org/roles': { shows: 'administrator' },
  '/o/$org/service-accounts': { shows: 'deploy' },
  '/o/$org/login-providers': { shows: 'corporate' },
};

/** The paths of the router of the running pages, so that no page can be forgotten. */
async function routes(): Promise<readonly string[]> {
  const paths = await page.evaluate<readonly string[]>(
    'Object.entries(__TSR_ROUTER__.routesByPath).filter(([, { options, children }]) => options.component || !children).map(([path]) => path)',
  );
  return [...new Set(paths.map((path) => (path === '/' ? path : path.replace(/\/$/, ''))))];
}

function addressOf(route: string): string {
  const id = pages[route]?.id ?? (route.includes('/regions/') ? 'region' : 'organization');
  const { organizationId, projectId } = product;
  return route
    .replace('$org', organizationId)
    .replace('$project', projectId)
    .replace('$region', ids['region'] ?? '')
    .replace('$id', ids[id] ?? '');
}

it('every page of the router has content, and nothing to complain about', async () => {
  const all = await routes();
  expect(Object.keys(pages).filter((route) => !all.includes(route))).toEqual([]);
  for (const route of all) {
    await goInside(page, addressOf(route));
    const main = page.getByRole('main');
    await main
      .getByText(pages[route]?.shows ?? /./)
      .first()
      .waitFor();
    await main.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('heading', { name: 'There is no such page' }).count(), route).toBe(0);
    // The deleted instance is asked for by its own page, whose answers can arrive when the next page is open.
    await checked(page, [new RegExp(`404.*/instances/${ids['gone'] ?? ''}`)]);
  }
}, 600_000);

it('every column that offers an order is known to the address of its list', async () => {
  for (const route of (await routes()).filter((each) => !/\$(id|region)|\/new$|^\/(i|settings)?$/.test(each))) {
    await goInside(page, addressOf(route));
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('status', { name: 'Loading…' }).waitFor({ state: 'detached' });
    const headers = page.getByRole('columnheader');
    const orders = headers.getByRole('button');
    const names = await Promise.all((await orders.all()).map((each) => each.getAttribute('aria-label')));
    for (const name of names.filter((each) => each !== null)) {
      const header = headers.filter({ has: page.getByRole('button', { name, exact: true }) });
      await header.getByRole('button').click();
      await expect.poll(() => header.getAttribute('aria-sort'), { message: `${route}: ${name}` }).not.toBeNull();
      expect(await page.getByText('This page does not know').count(), `${route}: ${name}`).toBe(0);
    }
  }
}, 300_000);

it('an address that does not exist says so', async () => {
  await page.goto(`${product.base}/console/nowhere`);
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  await checked(page);
});
