import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { dataOf } from '@unikorn/sdk';

import { checked, newPage, startConsole, type Console } from './console.fixture.ts';

let product: Console;

beforeAll(async () => {
  product = await startConsole({ args: ['--ephemeral', '--monitor-period', '2'] });
});

afterAll(() => product.stop());

async function instance(name: string) {
  const instances = await dataOf(product.api.compute.GET('/api/v2/instances'));
  const found = instances.find(({ metadata }) => metadata.name === name);
  if (!found) throw new Error(`there is no instance ${name}`);
  return found;
}

async function regionId(name: string): Promise<string> {
  const regions = await dataOf(product.api.region.GET('/api/v2/regions'));
  return regions.find(({ metadata }) => metadata.name === name)?.metadata.id ?? '';
}

async function knobs(region: string) {
  const path = { regionID: await regionId(region) };
  return dataOf(product.api.region.GET('/api/v2/regions/{regionID}/simulation', { params: { path } }));
}

async function simulation(region: string): Promise<Page> {
  return product.open(`/platform/regions/${await regionId(region)}/simulation`);
}

/** Another tab of the same browser session. */
async function tab(page: Page, path: string): Promise<Page> {
  const other = await newPage(page.context());
  await other.goto(`${product.base}/console${path}`);
  return other;
}

it('an image that is being imported is in the list, with its state', async () => {
  const { organizationId, projectId } = product;
  const path = { regionID: await regionId('north') };
  const before = await knobs('north');
  await product.api.region.PUT('/api/v2/regions/{regionID}/simulation', {
    params: { path },
    body: { ...before, image_ms: 3_600_000 },
  });
  await product.api.region.POST('/api/v1/organizations/{organizationID}/regions/{regionID}/images', {
    params: { path: { ...path, organizationID: organizationId } },
    body: {
      metadata: { name: 'slow' },
      spec: {
        uri: 'https://images.example.com/disk.raw',
        architecture: 'x86_64',
        virtualization: 'virtualized',
        os: { kernel: 'linux', family: 'debian', distro: 'debian', version: '13' },
      },
    },
  });
  const page = await product.open(`/o/${organizationId}/p/${projectId}/images`);
  await page.getByRole('row', { name: /^slow (pending|creating)/ }).waitFor();
  await product.api.region.PUT('/api/v2/regions/{regionID}/simulation', { params: { path }, body: before });
});

it('sliders and numbers are sent together, and show what the service saved', async () => {
  const page = await simulation('south');
  const builds = page.getByRole('slider', { name: 'Build or rebuild a machine' });
  await builds.focus();
  const before = await builds.getAttribute('aria-valuetext');
  await page.keyboard.press('ArrowRight');
  expect(await builds.getAttribute('aria-valuetext')).not.toBe(before);
  const fails = page.getByRole('slider', { name: 'Calls that fail' });
  await fails.focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('textbox', { name: 'File storage in GiB' }).fill('many');
  await page.getByText('File storage in GiB: must be a whole number').waitFor();
  expect(await page.getByRole('button', { name: 'Apply 2 changes' }).getAttribute('aria-disabled')).toBe('true');
  await page.getByRole('textbox', { name: 'File storage in GiB' }).fill('4096');
  await page.getByText('The same as a command, file or request').click();
  await page.getByText('--set errorRate=0.01', { exact: false }).waitFor();
  await checked(page);
  await page.getByRole('button', { name: 'Apply 3 changes' }).click();
  await expect.poll(() => page.getByRole('button', { name: /^Apply/ }).count(), { timeout: 30_000 }).toBe(0);
  expect(await knobs('south')).toMatchObject({ errorRate: 0.01, fileStorage_gib: 4096 });
  await page.getByText('faults on').waitFor();
});

it('presets are one click, and reset is what a new region has', async () => {
  const page = await simulation('south');
  await page.getByRole('button', { name: 'Slow' }).click();
  await expect.poll(async () => (await knobs('south')).call_ms, { timeout: 30_000 }).toBe(2_000);
  await page.getByRole('button', { name: 'Lossy' }).click();
  await expect.poll(async () => (await knobs('south')).lostResponseRate, { timeout: 30_000 }).toBe(0.1);
  await page
    .getByRole('slider', { name: 'Answers that get lost' })
    .and(page.locator('[aria-valuetext="10 %"]'))
    .waitFor();
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect.poll(async () => (await knobs('south')).lostResponseRate, { timeout: 30_000 }).toBe(0);
  const { region } = product.api;
  const made = await dataOf(
    region.POST('/api/v2/regions', { body: { metadata: { name: 'fresh' }, spec: { type: 'simulated' } } }),
  );
  const path = { regionID: made.metadata.id };
  const fresh = await dataOf(region.GET('/api/v2/regions/{regionID}/simulation', { params: { path } }));
  // Reset does not touch the capacity.
  const { places, fileStorage_gib, serversPerIdentity } = await knobs('south');
  expect(await knobs('south')).toEqual({ ...fresh, places, fileStorage_gib, serversPerIdentity });
});

it('an operator adds a place to the full pool, and trainer heals on the screen of its user', async () => {
  const trainer = await instance('trainer');
  const page = await simulation('south');
  const place = page.getByRole('textbox', { name: 'Places for sim-gpu-8' });
  await place.waitFor();
  const user = await tab(
    page,
    `/o/${product.organizationId}/p/${product.secondaryProjectId}/instances/${trainer.metadata.id}`,
  );
  await user
    .getByText(/no capacity/i)
    .first()
    .waitFor();
  const places = Number(await place.inputValue());
  await page.getByRole('button', { name: 'Add a place for sim-gpu-8' }).click();
  expect(await place.inputValue()).toBe(String(places + 1));
  await checked(page);
  await page.getByRole('button', { name: 'Apply 1 change' }).click();
  await page
    .getByRole('list', { name: 'Instances in this region' })
    .getByRole('listitem')
    .filter({ hasText: 'trainer' })
    .getByText('running')
    .waitFor({ timeout: 110_000 });
  await user.getByText('running', { exact: true }).first().waitFor({ timeout: 60_000 });
  await checked(user);
});

it('a region goes down and up by its switch, and its instances are as before', async () => {
  const page = await simulation('north');
  const service = page.getByRole('switch', { name: /The cloud answers/ });
  await service.and(page.locator('[aria-checked=true]')).waitFor();
  await service.click();
  await service.and(page.locator('[aria-checked=false]')).waitFor();
  await page.getByText('Down: every call fails.').waitFor();
  await checked(page);
  const regions = await tab(page, '/platform/regions');
  await regions.getByRole('row', { name: /^north down/ }).waitFor();
  await checked(regions);
  await regions.getByRole('link', { name: 'north' }).click();
  await regions.getByText('The region north is down', { exact: false }).waitFor();
  await checked(regions);
  const web = await instance('web-1');
  const user = await tab(page, `/o/${product.organizationId}/p/${product.projectId}/instances/${web.metadata.id}`);
  await user.getByRole('button', { name: 'Stop' }).click();
  const dialog = user.getByRole('dialog', { name: 'Stop web-1?' });
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await dialog.getByRole('alert').waitFor({ timeout: 60_000 });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await regions.getByRole('button', { name: 'Bring it back' }).click();
  await regions.getByText('The region north is down', { exact: false }).waitFor({ state: 'hidden' });
  await service.and(page.locator('[aria-checked=true]')).waitFor({ timeout: 30_000 });
  await user.reload();
  await user.getByText('running', { exact: true }).first().waitFor({ timeout: 60_000 });
});

it('a machine that is deleted in the cloud needs the typed name, and the platform notices', async () => {
  const page = await simulation('north');
  await page.getByRole('button', { name: 'Actions for web-2' }).click();
  await page.getByRole('menuitem', { name: 'Delete it in the cloud' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete web-2 in the cloud?' });
  await dialog.getByText('The disk of the machine is lost.').waitFor();
  const action = dialog.getByRole('button', { name: 'Delete it in the cloud' });
  expect(await action.getAttribute('aria-disabled')).toBe('true');
  await dialog.getByLabel('Type web-2 to confirm').fill('web-2');
  await checked(page);
  await action.click();
  await page.getByText('The machine of web-2 was changed in the cloud.', { exact: false }).waitFor();
  const row = page.getByRole('list', { name: 'Instances in this region' }).getByRole('listitem');
  await row.filter({ hasText: 'web-2' }).filter({ hasNotText: 'running' }).waitFor({ timeout: 90_000 });
  await checked(page);
});
