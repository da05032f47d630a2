import { randomUUID } from 'node:crypto';

import { dataOf } from '@unikorn/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, goInside, shareConsole, type Person } from './console.fixture.ts';
import { createInstances } from './furnish.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;

beforeAll(async () => {
  product = await shareConsole();
});

afterAll(() => product.stop());

const long = `w${'eb-'.repeat(20)}01`;
const below = (path: string) => `/o/${product.organizationId}/p/${product.projectId}/${path}`;
/** Text from right to left, and characters outside of the first plane. */
const foreign = 'خادم الويب 🦄';

async function passwordOf(subject: string): Promise<Person> {
  const { password = '' } = await dataOf(product.api.identity.POST('/api/v1/passwords', { body: { subject } }));
  return { email: subject, password };
}

it('the longest names, sixty tags, and descriptions in other scripts fit on all pages', async () => {
  expect(long).toHaveLength(63);
  const { organizationId, projectId, networkId, api } = product;
  const { regionId = '', flavorId = '', imageId = '' } = product.credentials;
  const tags = Array.from({ length: 60 }, (_, index) => ({ name: `tag-${index}`, value: `${foreign} ${index}` }));
  const [id = ''] = await createInstances(api, [long], { organizationId, projectId, networkId, flavorId, imageId });
  const params = { path: { instanceID: id } };
  const { spec } = await dataOf(api.compute.GET('/api/v2/instances/{instanceID}', { params }));
  await api.compute.PUT('/api/v2/instances/{instanceID}', {
    params,
    body: { metadata: { name: long, description: `${foreign} ${'x'.repeat(600)}`, tags }, spec },
  });
  const { metadata: network } = await dataOf(
    api.region.POST('/api/v2/networks', {
      body: {
        metadata: { name: long, description: foreign, tags },
        spec: { organizationId, projectId, regionId, prefix: '10.8.0.0/24', dnsNameservers: [] },
      },
    }),
  );
  const page = await product.open(below('instances'));
  await page.getByRole('link', { name: long }).waitFor();
  await checked(page);
  for (const tab of ['', '/settings', '?change=1', '?dialog=tags', '?dialog=delete']) {
    await goInside(page, below(`instances/${id}${tab}`));
    await page.getByRole('heading', { name: long }).first().waitFor();
    await checked(page);
  }
  await goInside(page, below('networks'));
  await page.getByRole('row', { name: new RegExp(`^${long}`) }).waitFor();
  await checked(page);
  for (const dialog of ['', '?dialog=edit']) {
    await goInside(page, below(`networks/${network.id}${dialog}`));
    await page.getByRole('heading', { name: long }).first().waitFor();
    await checked(page);
  }
});

it('a group with a hundred rules is shown and edited', async () => {
  const rules = Array.from(
    { length: 100 },
    (_, index) => ({ direction: 'ingress', protocol: 'tcp', port: 1000 + index, prefix: '0.0.0.0/0' }) as const,
  );
  const { metadata } = await dataOf(
    product.api.region.POST('/api/v2/securitygroups', {
      body: { metadata: { name: 'hundred' }, spec: { networkId: product.networkId, rules } },
    }),
  );
  const page = await product.open(below(`security-groups/${metadata.id}`));
  await page.getByText('1099').first().waitFor();
  await checked(page);
  await goInside(page, below(`security-groups/${metadata.id}?dialog=edit`));
  const dialog = page.getByRole('dialog', { name: 'Change hundred' });
  await dialog.getByRole('button', { name: 'Remove rule 100' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const params = { path: { securityGroupID: metadata.id } };
  const { spec } = await dataOf(product.api.region.GET('/api/v2/securitygroups/{securityGroupID}', { params }));
  expect(spec.rules).toHaveLength(99);
});

it('a person without any organization is told what to do', async () => {
  const subject = `nobody@${product.organizationName}.example.com`;
  const collection = '/api/v1/organizations/{organizationID}/users';
  const path = { organizationID: product.organizationId };
  const { metadata } = await dataOf(
    product.api.identity.POST(collection, {
      params: { path },
      body: { spec: { subject, state: 'active', groupIDs: [product.groupIds.readers] } },
    }),
  );
  const page = await product.open('/settings', await passwordOf(subject));
  await product.api.identity.DELETE(`${collection}/{userID}`, { params: { path: { ...path, userID: metadata.id } } });
  await page.goto(`${product.base}/console/`);
  await page.getByRole('heading', { name: 'No organization yet' }).waitFor();
  await page.getByText('Ask an administrator to add you.').waitFor();
  await checked(page);
});

it('an administrator of an organization without projects can begin', async () => {
  const { identity } = product.api;
  const { metadata: organization } = await dataOf(
    identity.POST('/api/v1/organizations', {
      body: { metadata: { name: `empty-${product.organizationName}` }, spec: { organizationType: 'adhoc' } },
    }),
  );
  const at = { params: { path: { organizationID: organization.id } } };
  const roles = await dataOf(identity.GET('/api/v1/organizations/{organizationID}/roles', at));
  const administrator = roles.find(({ metadata }) => metadata.name === 'administrator')?.metadata.id ?? '';
  const { metadata: group } = await dataOf(
    identity.POST('/api/v1/organizations/{organizationID}/groups', {
      ...at,
      body: { metadata: { name: 'administrators' }, spec: { serviceAccountIDs: [], roleIDs: [administrator] } },
    }),
  );
  const subject = `first@empty-${product.organizationName}.example.com`;
  await identity.POST('/api/v1/organizations/{organizationID}/users', {
    ...at,
    body: { spec: { subject, state: 'active', groupIDs: [group.id] } },
  });
  const person = await passwordOf(subject);
  const page = await product.open('/settings', person);
  await page.goto(`${product.base}/console/`);
  await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
  await checked(page);
  await page.getByRole('button', { name: 'Create project' }).first().click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('first');
  await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('row', { name: /^first/ }).waitFor();
  // Nothing else is there: every page of the new project says what it is for.
  const projects = await dataOf(identity.GET('/api/v1/organizations/{organizationID}/projects', at));
  for (const noun of ['instances', 'instances/new', 'networks', 'load-balancers', 'file-storage', 'images']) {
    await goInside(page, `/o/${organization.id}/p/${projects[0]?.metadata.id ?? ''}/${noun}`);
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    await checked(page);
  }
  await goInside(page, `/o/${organization.id}/p/${projects[0]?.metadata.id ?? ''}/load-balancers?dialog=new`);
  await page.getByText('There is no network yet. Create a network first.').waitFor();
  await goInside(page, `/o/${organization.id}/p/${randomUUID()}/networks`);
  await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
});

it('links into another organization say that nothing is there, and show no name of it', async () => {
  const { identity, region, compute } = product.api;
  const { metadata: organization } = await dataOf(
    identity.POST('/api/v1/organizations', {
      body: { metadata: { name: `other-${product.organizationName}` }, spec: { organizationType: 'adhoc' } },
    }),
  );
  const { metadata: project } = await dataOf(
    identity.POST('/api/v1/organizations/{organizationID}/projects', {
      params: { path: { organizationID: organization.id } },
      body: { metadata: { name: 'classified' }, spec: { groupIDs: [] } },
    }),
  );
  const { metadata: network } = await dataOf(
    region.POST('/api/v2/networks', {
      body: {
        metadata: { name: 'classified-net' },
        spec: {
          organizationId: organization.id,
          projectId: project.id,
          regionId: product.credentials.regionId ?? '',
          prefix: '10.0.0.0/24',
          dnsNameservers: [],
        },
      },
    }),
  );
  const { flavorId = '', imageId = '' } = product.credentials;
  const [instance = ''] = await createInstances({ ...product.api, compute }, ['classified-1'], {
    organizationId: organization.id,
    projectId: project.id,
    networkId: network.id,
    flavorId,
    imageId,
  });
  const subject = `developers@${product.organizationName}.example.com`;
  await identity.POST('/api/v1/organizations/{organizationID}/users', {
    params: { path: { organizationID: product.organizationId } },
    body: { spec: { subject, state: 'active', groupIDs: [product.groupIds.developers] } },
  });
  const person = await passwordOf(subject);
  const page = await product.open('/settings', person);
  const theirs = `/o/${organization.id}/p/${project.id}`;
  // Also the things of others below the own project.
  const links = [
    `${theirs}/instances`,
    `${theirs}/instances/new`,
    `${theirs}/instances/${instance}`,
    `${theirs}/networks/${network.id}`,
    `/o/${organization.id}/groups`,
    `/o/${organization.id}/quotas`,
    `/i/${instance}`,
    below(`instances/${instance}`),
    below(`networks/${network.id}`),
    '/platform/organizations',
    `/platform/organizations/${organization.id}`,
  ];
  for (const link of links) {
    await page.goto(`${product.base}/console${link}`);
    const main = page.getByRole('main');
    await main.getByRole('heading').or(main.getByRole('alert')).first().waitFor();
    await main
      .getByText(
        /no access|not allowed|no such|does not exist|may not|not found|operators of the platform|No .* yet|no organization/i,
      )
      .first()
      .waitFor({ timeout: 8_000 })
      .catch(async () => {
        throw new Error(`${link}: ${(await main.textContent()) ?? ''}`);
      });
    const text = (await page.locator('body').textContent()) ?? '';
    expect(text, link).not.toContain('classified');
    expect(await main.getByRole('button', { name: /^Create/ }).count(), link).toBe(0);
    await checked(page, [/40\d/]);
  }
});
