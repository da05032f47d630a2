import { dataOf } from '@unikorn/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, shareConsole } from './console.fixture.ts';
import { setQuota } from './furnish.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;
/** One browser session for all journeys of this file: a page is quicker than a login. */
let page: Page;

beforeAll(async () => {
  product = await shareConsole();
  page = await product.open('/settings');
});

afterAll(() => product.stop());

async function visit(path: string): Promise<void> {
  await page.goto(`${product.base}/console${path}`);
}

it('a network that another user changed is not replaced; the other change is loaded, and both are kept', async () => {
  const { region } = product.api;
  const params = { path: { networkID: product.networkId } };
  await visit(`/o/${product.organizationId}/p/${product.projectId}/networks/${product.networkId}?dialog=edit`);
  const dialog = page.getByRole('dialog', { name: 'Change frontend' });
  await dialog.getByLabel('Description').fill('mine');
  await region.PUT('/api/v2/networks/{networkID}', {
    params,
    body: { metadata: { name: 'frontend' }, spec: { dnsNameservers: ['9.9.9.9'] } },
  });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Another user changed this').waitFor();
  await checked(page);
  await dialog.getByRole('button', { name: 'Load that change' }).click();
  await dialog.getByLabel('Description').fill('mine');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const { metadata, spec } = await dataOf(region.GET('/api/v2/networks/{networkID}', { params }));
  expect([metadata.description, spec.dnsNameservers]).toEqual(['mine', ['9.9.9.9']]);
});

/** An object in a form, and two changes of it that do not touch the same field. */
interface Edited {
  /** The page of the form. */
  readonly path: string;
  readonly mine: () => Promise<unknown>;
  readonly theirs: () => Promise<unknown>;
  /** How the form shows the other change. */
  readonly shown: string;
  /** Both fields, as the service has them. */
  readonly stored: () => Promise<unknown>;
  readonly both: unknown;
}

/** Creates an object of each noun, and says how two users change it. */
const nouns: Readonly<Record<string, () => Promise<Edited>>> = {
  project: async () => {
    const at = { params: { path: { organizationID: product.organizationId, projectID: product.secondaryProjectId } } };
    const path = '/api/v1/organizations/{organizationID}/projects/{projectID}';
    const read = () => dataOf(product.api.identity.GET(path, at));
    const { metadata, spec } = await read();
    return {
      path: `/o/${product.organizationId}/projects?dialog=edit&id=${metadata.id}`,
      mine: () => page.getByLabel('Description').fill('mine'),
      theirs: () =>
        product.api.identity.PUT(path, { ...at, body: { metadata: { name: 'theirs' }, spec: { ...spec } } }),
      shown: 'Name: research → theirs',
      stored: async () => {
        const now = await read();
        return [now.metadata.name, now.metadata.description];
      },
      both: ['theirs', 'mine'],
    };
  },

  person: async () => {
    const { identity } = product.api;
    const collection = '/api/v1/organizations/{organizationID}/users';
    const body = (groupIDs: string[]) => ({
      spec: { subject: 'eve@example.com', state: 'active' as const, groupIDs },
    });
    const { metadata } = await dataOf(
      identity.POST(collection, { ...inOrganization(), body: body([product.groupIds.readers]) }),
    );
    const at = { params: { path: { organizationID: product.organizationId, userID: metadata.id } } };
    return {
      path: `/o/${product.organizationId}/users?dialog=edit&id=${metadata.id}`,
      mine: () => page.getByRole('combobox', { name: 'State' }).selectOption('suspended'),
      theirs: () => identity.PUT(`${collection}/{userID}`, { ...at, body: body([product.groupIds.auditors]) }),
      shown: 'Groups: readers → auditors',
      stored: async () => {
        const { spec } = await dataOf(identity.GET(`${collection}/{userID}`, at));
        return [spec.groupIDs, spec.state];
      },
      both: [[product.groupIds.auditors], 'suspended'],
    };
  },

  'service account': async () => {
    const { identity } = product.api;
    const collection = '/api/v1/organizations/{organizationID}/serviceaccounts';
    const body = (groupIDs: string[]) => ({ metadata: { name: 'builder' }, spec: { groupIDs } });
    const { metadata } = await dataOf(identity.POST(collection, { ...inOrganization(), body: body([]) }));
    const at = { params: { path: { organizationID: product.organizationId, serviceAccountID: metadata.id } } };
    return {
      path: `/o/${product.organizationId}/service-accounts?dialog=edit&id=${metadata.id}`,
      mine: () => page.getByLabel('Description').fill('mine'),
      theirs: () => identity.PUT(`${collection}/{serviceAccountID}`, { ...at, body: body([product.groupIds.readers]) }),
      shown: 'Groups: empty → readers',
      stored: async () => {
        const now = await dataOf(identity.GET(`${collection}/{serviceAccountID}`, at));
        return [now.spec.groupIDs, now.metadata.description];
      },
      both: [[product.groupIds.readers], 'mine'],
    };
  },

  'login provider': async () => {
    const { identity } = product.api;
    const collection = '/api/v1/organizations/{organizationID}/oauth2providers';
    const body = (clientID: string) => ({
      metadata: { name: 'corporate' },
      spec: { issuer: 'https://login.example.com', clientID },
    });
    const { metadata } = await dataOf(identity.POST(collection, { ...inOrganization(), body: body('before') }));
    const at = { params: { path: { organizationID: product.organizationId, providerID: metadata.id } } };
    return {
      path: `/o/${product.organizationId}/login-providers?dialog=edit&id=${metadata.id}`,
      mine: () => page.getByLabel('Issuer').fill('https://mine.example.com'),
      theirs: () => identity.PUT(`${collection}/{providerID}`, { ...at, body: body('theirs') }),
      shown: 'Client id: before → theirs',
      stored: async () => {
        const { spec } = await dataOf(identity.GET(`${collection}/{providerID}`, at));
        return [spec.clientID, spec.issuer];
      },
      both: ['theirs', 'https://mine.example.com'],
    };
  },

  quota: () =>
    Promise.resolve({
      path: `/o/${product.organizationId}/quotas?dialog=change`,
      mine: () => page.getByRole('textbox', { name: 'Networks' }).fill('7'),
      theirs: () => setQuota(product.api, product.organizationId, { servers: 31 }),
      shown: 'Servers: 30 → 31',
      stored: async () => {
        const path = '/api/v1/organizations/{organizationID}/quotas';
        const { quotas } = await dataOf(product.api.identity.GET(path, inOrganization()));
        return ['servers', 'networks'].map((kind) => quotas.find((quota) => quota.kind === kind)?.quantity);
      },
      both: [31, 7],
    }),

  'load balancer': async () => {
    const { region } = product.api;
    const listeners = (...ports: readonly number[]) =>
      ports.map((port) => ({ name: `on-${port}`, protocol: 'tcp' as const, port, pool: { members: [] } }));
    const { metadata } = await dataOf(
      region.POST('/api/v2/loadbalancers', {
        body: { metadata: { name: 'edge' }, spec: { networkId: product.networkId, listeners: listeners(80) } },
      }),
    );
    const path = '/api/v2/loadbalancers/{loadBalancerID}';
    const at = { params: { path: { loadBalancerID: metadata.id } } };
    return {
      path: `/o/${product.organizationId}/p/${product.projectId}/load-balancers/${metadata.id}?dialog=edit`,
      mine: () => page.getByRole('textbox', { name: 'Name', exact: true }).fill('mine'),
      theirs: () =>
        region.PUT(path, { ...at, body: { metadata: { name: 'edge' }, spec: { listeners: listeners(80, 81) } } }),
      shown: 'Listeners: on-80 tcp 80 → on-80 tcp 80, on-81 tcp 81',
      stored: async () => {
        const now = await dataOf(region.GET(path, at));
        return [now.spec.listeners.map(({ port }) => port), now.metadata.name];
      },
      both: [[80, 81], 'mine'],
    };
  },

  'file storage': async () => {
    const { region } = product.api;
    const regionId = product.credentials.regionId ?? '';
    const classes = await dataOf(region.GET('/api/v2/filestorageclasses'));
    const spec = (sizeGiB: number) => ({ sizeGiB, storageType: { NFS: { rootSquash: true } } });
    const { metadata } = await dataOf(
      region.POST('/api/v2/filestorage', {
        body: {
          metadata: { name: 'files' },
          spec: {
            ...spec(1),
            organizationId: product.organizationId,
            projectId: product.projectId,
            regionId,
            storageClassId: classes.find((each) => each.spec.regionId === regionId)?.metadata.id ?? '',
          },
        },
      }),
    );
    const path = '/api/v2/filestorage/{filestorageID}';
    const at = { params: { path: { filestorageID: metadata.id } } };
    return {
      path: `/o/${product.organizationId}/p/${product.projectId}/file-storage/${metadata.id}?dialog=edit`,
      mine: () => page.getByRole('textbox', { name: 'Name', exact: true }).fill('mine'),
      theirs: () => region.PUT(path, { ...at, body: { metadata: { name: 'files' }, spec: spec(2) } }),
      shown: 'Size in GiB: 1 → 2',
      stored: async () => {
        const now = await dataOf(region.GET(path, at));
        return [now.spec.sizeGiB, now.metadata.name];
      },
      both: [2, 'mine'],
    };
  },

  region: async () => {
    const { region } = product.api;
    const name = `of-${product.organizationName}`;
    const body = (tenants: string[]) => ({
      metadata: { name },
      spec: { type: 'simulated' as const, organizationIds: tenants },
    });
    const { metadata } = await dataOf(region.POST('/api/v2/regions', { body: body([product.organizationId]) }));
    const at = { params: { path: { regionID: metadata.id } } };
    return {
      path: `/platform/regions/${metadata.id}/change`,
      mine: () => page.getByLabel('Description').fill('mine'),
      theirs: () => region.PUT('/api/v2/regions/{regionID}', { ...at, body: body([]) }),
      shown: `Organizations: ${product.organizationName} → empty`,
      stored: async () => {
        const now = await dataOf(region.GET('/api/v2/regions/{regionID}/settings', at));
        return [now.spec.organizationIds ?? [], now.metadata.description];
      },
      both: [[], 'mine'],
    };
  },

  'person with roles on the platform': async () => {
    const subject = `operator@${product.organizationName}.example.com`;
    const path = '/api/v1/globalroles/{subject}';
    const params = { path: { subject } };
    const grant = (role: string) => product.api.identity.PUT(path, { params, body: { roles: [role] } });
    await grant('platform-reader');
    return {
      path: `/platform/operators?dialog=edit&id=${encodeURIComponent(`granted ${subject}`)}`,
      mine: () => page.getByRole('checkbox', { name: 'platform-administrator' }).check(),
      theirs: () => grant('platform-administrator'),
      shown: 'Roles: platform-reader → platform-administrator',
      stored: async () => (await dataOf(product.api.identity.GET(path, { params }))).roles,
      both: ['platform-administrator'],
    };
  },
};

const inOrganization = () => ({ params: { path: { organizationID: product.organizationId } } });

it.each(Object.keys(nouns))(
  'a %s that another user changed is not replaced: both changes are shown, merged, and written over the version that was seen',
  async (noun) => {
    const edited = await nouns[noun]?.();
    if (!edited) throw new Error(`there is no ${noun}`);
    await visit(edited.path);
    await edited.mine();
    await edited.theirs();
    const save = page.getByRole('button', { name: 'Save' });
    await save.click();
    await page.getByText('Another user changed this').waitFor();
    await page.getByRole('listitem').filter({ hasText: edited.shown }).waitFor();
    if (noun === 'region') await checked(page);
    await page.getByRole('button', { name: 'Merge both changes' }).click();
    const write = page.waitForRequest((request) => request.method() === 'PUT');
    await save.click();
    expect(await (await write).headerValue('If-Match')).toMatch(/".+"/);
    await save.waitFor({ state: 'hidden' });
    expect(await edited.stored()).toEqual(edited.both);
  },
);
