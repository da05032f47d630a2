import { dataOf } from '@unikorn/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, shareConsole } from './console.fixture.ts';
import { setQuota } from './furnish.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;

beforeAll(async () => {
  product = await shareConsole();
});

afterAll(() => product.stop());

it('a network that another user changed is not replaced; the other change is loaded, and both are kept', async () => {
  const { region } = product.api;
  const params = { path: { networkID: product.networkId } };
  const page = await product.open(
    `/o/${product.organizationId}/p/${product.projectId}/networks/${product.networkId}?dialog=edit`,
  );
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

it('the same holds for a project, a person, and the limits of an organization', async () => {
  const { identity } = product.api;
  const path = { organizationID: product.organizationId };
  const project = await product.open(
    `/o/${product.organizationId}/projects?dialog=edit&id=${product.secondaryProjectId}`,
  );
  await project.getByLabel('Description').fill('mine');
  await identity.PUT('/api/v1/organizations/{organizationID}/projects/{projectID}', {
    params: { path: { ...path, projectID: product.secondaryProjectId } },
    body: { metadata: { name: 'research', description: 'theirs' }, spec: { groupIDs: [] } },
  });
  await project.getByRole('button', { name: 'Save' }).click();
  await project.getByText('Another user changed this').waitFor();
  await checked(project);

  const groupIDs = [product.groupIds.readers];
  const { metadata } = await dataOf(
    identity.POST('/api/v1/organizations/{organizationID}/users', {
      params: { path },
      body: { spec: { subject: 'eve@example.com', state: 'active', groupIDs } },
    }),
  );
  const person = await product.open(`/o/${product.organizationId}/users?dialog=edit&id=${metadata.id}`);
  await person.getByRole('combobox', { name: 'State' }).selectOption('suspended');
  await identity.PUT('/api/v1/organizations/{organizationID}/users/{userID}', {
    params: { path: { ...path, userID: metadata.id } },
    body: { spec: { subject: 'eve@example.com', state: 'active', groupIDs: [] } },
  });
  await person.getByRole('button', { name: 'Save' }).click();
  await person.getByText('Another user changed this').waitFor();
  await checked(person);

  const limits = await product.open(`/o/${product.organizationId}/quotas`);
  await limits.getByRole('button', { name: 'Change limits' }).click();
  const dialog = limits.getByRole('dialog', { name: 'Change the limits of the organization' });
  await dialog.getByLabel('Networks').fill('7');
  await setQuota(product.api, product.organizationId, { servers: 31 });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Another user changed this').waitFor();
  await checked(limits);
});
