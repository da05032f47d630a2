import { dataOf } from '@unikorn/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, shareConsole } from './console.fixture.ts';
import { createInstances } from './furnish.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;

beforeAll(async () => {
  product = await shareConsole();
  const { organizationId, secondaryProjectId: projectId, api } = product;
  const { regionId = '', flavorId = '', imageId = '' } = product.credentials;
  const { metadata: network } = await dataOf(
    api.region.POST('/api/v2/networks', {
      body: {
        metadata: { name: 'lab' },
        spec: { organizationId, projectId, regionId, prefix: '10.1.0.0/24', dnsNameservers: [] },
      },
    }),
  );
  await createInstances(api, ['model-1'], { organizationId, projectId, networkId: network.id, flavorId, imageId });
});

afterAll(() => product.stop());

function rowsOf(page: Page): Promise<readonly string[]> {
  return page.getByRole('row').getByRole('link').allTextContents();
}

it('the instances of all projects are in one list, which can be limited to a project and to a network', async () => {
  const page = await product.open(`/o/${product.organizationId}/instances`);
  await expect.poll(() => rowsOf(page)).toEqual(['model-1', 'web-1', 'web-2']);
  await page
    .getByRole('row', { name: /model-1/ })
    .getByText('research')
    .waitFor();
  await page.getByRole('button', { name: 'Filter by' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'research' }).click();
  await page.keyboard.press('Escape');
  await expect.poll(() => rowsOf(page)).toEqual(['model-1']);
  expect(new URL(page.url()).searchParams.get('project')).toBe(product.secondaryProjectId);
  await checked(page);
  await page.getByRole('button', { name: 'Remove the filter Project: research' }).click();
  await expect.poll(() => rowsOf(page)).toHaveLength(3);
  await page.getByRole('button', { name: 'Filter by' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'frontend' }).click();
  await expect.poll(() => rowsOf(page)).toEqual(['web-1', 'web-2']);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'web-1' }).click();
  await page.getByRole('heading', { name: 'web-1' }).waitFor();
  expect(page.url()).toContain(`/p/${product.projectId}/instances/`);
  await page.getByText('In this state').waitFor();
});

it('filters that leave nothing can all be removed at once', async () => {
  const page = await product.open(`/o/${product.organizationId}/p/${product.projectId}/instances?q=nothing&tag=a=b`);
  await page.getByText('Nothing matches these filters.').waitFor();
  await checked(page);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => rowsOf(page)).toEqual(['web-1', 'web-2']);
  expect(new URL(page.url()).search).toBe('');
});

it('the number of instances that use something leads to the list of these', async () => {
  const { api, projectId, networkId, organizationId } = product;
  const query = { projectID: [projectId] };
  const [group] = await dataOf(api.region.GET('/api/v2/securitygroups', { params: { query } }));
  const { regionId = '', imageId = '' } = product.credentials;
  const project = `/o/${organizationId}/p/${projectId}`;
  for (const [path, property, value, chip] of [
    [`networks/${networkId}`, 'network', networkId, 'Network: frontend'],
    [`security-groups/${group?.metadata.id ?? ''}`, 'group', group?.metadata.id, 'Security group: web'],
    [`images/${regionId}/${imageId}`, 'image', imageId, /filter Image: /],
  ] as const) {
    const page = await product.open(`${project}/${path}`);
    await page.getByRole('link', { name: '2 instances' }).click();
    await page.getByRole('heading', { name: 'Instances' }).waitFor();
    await page.getByRole('button', { name: chip }).waitFor();
    await expect.poll(() => rowsOf(page)).toEqual(['web-1', 'web-2']);
    expect(new URL(page.url()).searchParams.get(property)).toBe(value);
    await page.context().close();
  }
  const page = await product.open(`/o/${organizationId}/quotas`);
  await page.getByRole('link', { name: '3 used: show all instances' }).click();
  await expect.poll(() => rowsOf(page)).toHaveLength(3);
});

it('rows stay where they are under the pointer, and are sorted again on request', async () => {
  const page = await product.open(`/o/${product.organizationId}/p/${product.projectId}/instances?sort=status`);
  await expect.poll(() => page.getByText('running', { exact: true }).count()).toBe(2);
  const [first = '', second = ''] = await rowsOf(page);
  await page.getByRole('row', { name: second }).hover();
  await stop(first);
  const again = page.getByRole('button', { name: 'The order has changed. Sort again' });
  await again.waitFor();
  expect(await rowsOf(page)).toEqual([first, second]);
  await again.click();
  await expect.poll(() => rowsOf(page)).toEqual([second, first]);
  await again.waitFor({ state: 'detached' });
});

async function stop(name: string): Promise<void> {
  const { compute } = product.api;
  const query = { projectID: [product.projectId] };
  const instances = await dataOf(compute.GET('/api/v2/instances', { params: { query } }));
  const instanceID = instances.find(({ metadata }) => metadata.name === name)?.metadata.id ?? '';
  await dataOf(compute.POST('/api/v2/instances/{instanceID}/stop', { params: { path: { instanceID } } }));
}
