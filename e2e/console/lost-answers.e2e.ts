import { dataOf } from '@unikorn/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { shareConsole } from './console.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;
let page: Page;

beforeAll(async () => {
  product = await shareConsole();
  page = await product.open('/settings');
});

afterAll(() => product.stop());

interface Creation {
  /** The page of the form. */
  readonly path: string;
  /** The path of the request that creates. */
  readonly collection: string;
  /** Fills in what is required besides the name. */
  readonly fill?: () => Promise<unknown>;
  readonly name?: string;
  readonly names: () => Promise<readonly string[]>;
}

const inOrganization = () => ({ params: { path: { organizationID: product.organizationId } } });
const inProject = () => ({
  params: { query: { organizationID: [product.organizationId], projectID: [product.projectId] } },
});
const below = (noun: string) => `/o/${product.organizationId}/p/${product.projectId}/${noun}?dialog=new`;
const namesIn = async (list: Promise<readonly { readonly metadata: { readonly name: string } }[]>) =>
  (await list).map(({ metadata }) => metadata.name);
const firstOf = (label: string) => page.getByRole('combobox', { name: label }).selectOption({ index: 1 });

/** Every form that creates something, except those whose answer is a secret, which the service does not keep. */
const creations: Readonly<Record<string, () => Creation>> = {
  network: () => ({
    path: below('networks'),
    collection: '/region/api/v2/networks',
    fill: async () => {
      await firstOf('Region');
      await page.getByLabel('Prefix').fill('10.9.0.0/24');
    },
    names: () => namesIn(dataOf(product.api.region.GET('/api/v2/networks', inProject()))),
  }),
  'security group': () => ({
    path: below('security-groups'),
    collection: '/region/api/v2/securitygroups',
    fill: () => firstOf('Network'),
    names: () => namesIn(dataOf(product.api.region.GET('/api/v2/securitygroups', inProject()))),
  }),
  'load balancer': () => ({
    path: below('load-balancers'),
    collection: '/region/api/v2/loadbalancers',
    fill: async () => {
      await firstOf('Network');
      await page.getByLabel('Listener name').fill('web');
    },
    names: () => namesIn(dataOf(product.api.region.GET('/api/v2/loadbalancers', inProject()))),
  }),
  'file storage': () => ({
    path: below('file-storage'),
    collection: '/region/api/v2/filestorage',
    fill: () => firstOf('Storage class'),
    names: () => namesIn(dataOf(product.api.region.GET('/api/v2/filestorage', inProject()))),
  }),
  'SSH authority': () => ({
    path: below('ssh-authorities'),
    collection: '/region/api/v2/sshcertificateauthorities',
    fill: () =>
      page
        .getByLabel('Public key')
        .fill('ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIvUkYE6mZ3tcw+4pTmG2pXBeSTVbvfwMVQp4fIUNhOB ca@example.com'),
    names: () => namesIn(dataOf(product.api.region.GET('/api/v2/sshcertificateauthorities', inProject()))),
  }),
  image: () => ({
    path: below('images'),
    collection: '/images',
    fill: async () => {
      // Other journeys add regions at the same time.
      await page.getByRole('combobox', { name: 'Region' }).selectOption('north');
      await page.getByLabel('Address').fill('https://images.example.com/lost.raw');
      await page.getByLabel('Version').fill('24.04');
    },
    names: async () => {
      const path = { regionID: product.credentials.regionId ?? '' };
      const query = { organizationID: [product.organizationId] };
      return namesIn(dataOf(product.api.region.GET('/api/v2/regions/{regionID}/images', { params: { path, query } })));
    },
  }),
  project: () => ({
    path: `/o/${product.organizationId}/projects?dialog=new`,
    collection: '/projects',
    names: () =>
      namesIn(dataOf(product.api.identity.GET('/api/v1/organizations/{organizationID}/projects', inOrganization()))),
  }),
  group: () => ({
    path: `/o/${product.organizationId}/groups?dialog=new`,
    collection: '/groups',
    names: () =>
      namesIn(dataOf(product.api.identity.GET('/api/v1/organizations/{organizationID}/groups', inOrganization()))),
  }),
  'login provider': () => ({
    path: `/o/${product.organizationId}/login-providers?dialog=new`,
    collection: '/oauth2providers',
    fill: async () => {
      await page.getByLabel('Issuer').fill('https://login.example.com');
      await page.getByLabel('Client id').fill('unikorn');
    },
    names: () =>
      namesIn(
        dataOf(product.api.identity.GET('/api/v1/organizations/{organizationID}/oauth2providers', inOrganization())),
      ),
  }),
};

it.each(Object.keys(creations))(
  'a %s is created once, also if the answer is lost and the user sends it again',
  async (noun) => {
    const creation = creations[noun]?.();
    if (!creation) throw new Error(`there is no ${noun}`);
    await page.goto(`${product.base}/console${creation.path}`);
    const dialog = page.getByRole('dialog');
    const name = `lost-${noun.toLowerCase().replaceAll(' ', '-')}`;
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await creation.fill?.();
    const send = dialog
      .getByRole('button')
      .filter({ hasText: /^(Create|Import|Add)/ })
      .last();
    const isCreation = (url: URL) => url.pathname.endsWith(creation.collection);
    // The service creates it, and nothing of its answers arrives.
    await page.route(isCreation, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      return route.abort();
    });
    await send.click();
    await dialog.getByText('cannot be reached').first().waitFor();
    expect(await dialog.getByLabel('Name', { exact: true }).inputValue()).toBe(name);
    await page.unroute(isCreation);
    await send.click();
    await dialog.waitFor({ state: 'hidden' });
    expect((await creation.names()).filter((each) => each === name)).toHaveLength(1);
  },
);
