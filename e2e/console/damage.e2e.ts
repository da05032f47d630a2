import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { labels } from '@unikorn/core/resource';
import { Saga, sagaLabel } from '@unikorn/core/saga';
import { openSqliteStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';
import { dataOf } from '@unikorn/sdk';

import { ComputeInstance } from '../../packages/compute/src/kinds/index.ts';
import { priceAnnotation } from '../../packages/compute/src/sagas/index.ts';
import { controlPlaneKinds } from '../../packages/unikorn/src/serve/control-plane.ts';
import { temporaryFolder } from '../../packages/unikorn/src/unikorn.fixture.ts';
import { checked, startConsole, type Console } from './console.fixture.ts';
import { held, placeOf, skeletonOf } from './skeleton.fixture.ts';

const folder = temporaryFolder();
let product: Console;

/**
 * A platform whose previous process left damage: a saga that only an older release knew, one that cannot be undone
 * because its input is damaged, and an instance whose recorded cost is damaged. No request of users leads to these.
 */
beforeAll(async () => {
  const args = ['--state', folder.path, '--monitor-period', '2'];
  await (await startConsole({ args })).stop();
  const store = await openSqliteStore({
    path: join(folder.path, 'state.db'),
    world: systemWorld,
    telemetry: silentTelemetry(),
    kinds: controlPlaneKinds,
  });
  const leave = (name: string, saga: string) =>
    store.create(Saga, {
      metadata: { name, labels: { [sagaLabel]: saga } },
      spec: { saga, input: {}, holder: 'a-process-that-ended', term: 1 },
    });
  await leave('11111111-1111-4111-8111-111111111111', 'compute.cluster.create');
  const { metadata } = await leave('22222222-2222-4222-8222-222222222222', 'region.network.create');
  await store.updateStatus(Saga, {
    metadata,
    status: { phase: 'unwinding', failedStep: 'putNetwork', error: 'the network could not be stored' },
  });
  const { items } = await store.list(ComputeInstance);
  const web = items.find((instance) => instance.metadata.labels?.[labels.name] === 'web-1');
  if (!web) throw new Error('the demo has no instance web-1');
  const annotations = { ...web.metadata.annotations, [priceAnnotation]: 'damaged' };
  await store.update(ComputeInstance, { ...web, metadata: { ...web.metadata, annotations } });
  await store.close();
  product = await startConsole({ args });
});

afterAll(async () => {
  await product.stop();
  await rm(folder.path, { recursive: true, force: true });
});

it('unfinished sagas are listed with the stuck ones first, and show their steps', async () => {
  const page = await product.open('/platform/sagas');
  await page.getByRole('row', { name: /^compute\.cluster\.create stuck compute/ }).waitFor({ timeout: 90_000 });
  await page.getByRole('row', { name: /^region\.network\.create/ }).waitFor();
  expect(await page.getByRole('row').nth(1).textContent()).toContain('stuck');
  await page.getByText('A stuck saga needs an operator', { exact: false }).waitFor();
  await checked(page);
  await page.getByRole('button', { name: 'region.network.create' }).click();
  const dialog = page.getByRole('dialog', { name: 'Saga region.network.create' });
  await expect
    .poll(() => dialog.getByRole('list', { name: 'Steps' }).getByRole('listitem').allTextContents(), {
      timeout: 60_000,
    })
    .toEqual(['1.chargedone', '2.putIdentitydone', '3.putNetworkis being undone']);
  expect(page.url()).toContain('dialog=saga');
  await checked(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'compute.cluster.create' }).click();
  await page.getByText('This release does not know the saga', { exact: false }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^stuck/ }).click();
  await page.getByRole('row', { name: /^compute\.cluster\.create/ }).waitFor();
  expect(page.url()).toContain('chip=stuck');
});

it('a finding of the monitor leads to its instance, and its kind is a filter in the address', async () => {
  const page = await product.open('/platform/findings');
  await page
    .getByRole('row', { name: /^Incomplete record web-1 its recorded cost cannot be read/ })
    .waitFor({ timeout: 60_000 });
  await checked(page);
  await page.getByRole('button', { name: /^Incomplete record/ }).click();
  expect(page.url()).toContain('chip=incomplete-record');
  await page.getByRole('link', { name: 'web-1' }).click();
  await page.getByRole('heading', { name: 'web-1' }).waitFor();
  await page.goBack();
  await page.getByRole('searchbox').fill('nothing like this');
  await page.getByText('Nothing matches these filters.').waitFor();
});

it('the findings that are not known yet have their final size', async () => {
  const page = await product.open('/settings');
  const release = await held(page, /\/api\/.*findings/);
  await page.goto(`${product.base}/console/platform/findings`);
  const skeleton = skeletonOf(page);
  await skeleton.waitFor();
  await checked(page);
  const before = await Promise.all([skeleton.locator('> *').first(), page.getByRole('searchbox')].map(placeOf));
  release();
  const first = page.getByRole('row', { name: /^Incomplete record/ });
  await first.waitFor();
  expect(await Promise.all([first, page.getByRole('searchbox')].map(placeOf))).toEqual(before);
});

it('an operator of a platform without a project comes to its regions, and nothing is found there', async () => {
  const { identity } = product.api;
  const path = { organizationID: product.organizationId };
  await identity.DELETE('/api/v1/organizations/{organizationID}', {
    params: { path, query: { ignoreProtection: true } },
  });
  await expect
    .poll(async () => (await dataOf(identity.GET('/api/v1/organizations'))).length, { timeout: 90_000 })
    .toBe(0);
  const page = await product.open('/');
  await page.getByRole('heading', { name: 'Regions' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/console/platform/regions');
  await checked(page);
  await page.getByRole('link', { name: 'Findings' }).click();
  await page.getByRole('heading', { name: 'Nothing was found' }).waitFor({ timeout: 60_000 });
  await checked(page);
});
