import { connect, type Unikorn } from '@unikorn/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { checked, freePort, newPage, startConsole } from './console.fixture.ts';
import { createInstances } from './furnish.fixture.ts';
import { Network } from './network.fixture.ts';

const network = new Network();
let product: Awaited<ReturnType<typeof startConsole>>;
let list: string;
/** Not through the network that is cut. */
let api: Unikorn;

beforeAll(async () => {
  const near = await network.listen();
  network.target = await freePort();
  const publicUrl = `http://127.0.0.1:${near}`;
  product = await startConsole({
    args: ['--ephemeral', '--port', String(network.target), '--public-url', publicUrl],
  });
  const direct = `http://127.0.0.1:${network.target}`;
  api = connect({ endpoints: direct, token: product.credentials.adminToken });
  list = `/o/${product.organizationId}/p/${product.projectId}/instances`;
});

afterAll(async () => {
  await product.stop();
  network.close();
});

async function create(name: string): Promise<void> {
  const { organizationId, projectId } = product;
  const { networkId = '', flavorId = '', imageId = '' } = product.credentials;
  await createInstances(api, [name], { organizationId, projectId, networkId, flavorId, imageId });
}

it('a connection that is cut without an end is noticed within 45 seconds and said, and the page recovers', async () => {
  const page = await product.open('/settings');
  await page.clock.install();
  await page.goto(`${product.base}/console${list}`);
  await page.getByRole('link', { name: 'web-1' }).waitFor();
  const banner = page.getByRole('alert').filter({ hasText: 'No connection to the server' });
  expect(await banner.count()).toBe(0);
  network.cut();
  await create('while-away');
  await page.clock.fastForward(40_000);
  expect(await banner.count()).toBe(0);
  await page.clock.fastForward(5_000);
  await banner.waitFor();
  // The rows stay, and the ones that are not known yet are not there.
  expect(await page.getByRole('link', { name: 'web-1' }).count()).toBe(1);
  expect(await page.getByRole('link', { name: 'while-away' }).count()).toBe(0);
  await checked(page);
  network.mend();
  await expect
    .poll(
      async () => {
        await page.clock.fastForward(5_000);
        return banner.count();
      },
      { timeout: 60_000 },
    )
    .toBe(0);
  await page.getByRole('link', { name: 'while-away' }).waitFor();
});

it('eight tabs of one browser: all of them answer, and all of them see a change', async () => {
  const first = await product.open(list);
  const tabs = [first];
  for (let tab = 2; tab <= 8; tab += 1) tabs.push(await newPage(first.context()));
  await Promise.all(tabs.slice(1).map((tab) => tab.goto(`${product.base}/console${list}`)));
  await Promise.all(tabs.map((tab) => tab.getByRole('link', { name: 'web-1' }).waitFor()));
  await create('seen-by-all');
  await Promise.all(tabs.map((tab) => tab.getByRole('link', { name: 'seen-by-all' }).waitFor()));
  await Promise.all(tabs.map((tab) => tab.getByRole('link', { name: 'web-1' }).click()));
  await Promise.all(tabs.map((tab) => tab.getByRole('heading', { name: 'web-1' }).waitFor()));
  await checked(first);
});
