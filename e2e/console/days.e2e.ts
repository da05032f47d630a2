import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { newPage, shareConsole } from './console.fixture.ts';
import { createInstances } from './furnish.fixture.ts';

let product: Awaited<ReturnType<typeof shareConsole>>;

beforeAll(async () => {
  product = await shareConsole();
});

afterAll(() => product.stop());

const hours = 25;
/** Everything that a page loads once is loaded by then. */
const settledHour = 5;

/** What a page keeps, after garbage collection. */
async function keptBy(devtools: CDPSession) {
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  return { nodes: of('Nodes'), listeners: of('JSEventListeners'), heap: of('JSHeapUsedSize') };
}

/** An hour in which the page runs for twenty seconds, then sleeps to the end of five minutes, and so on. */
async function anHour({ clock }: Page): Promise<void> {
  for (let step = 0; step < 12; step += 1) {
    await clock.runFor(20_000);
    await clock.fastForward(280_000);
  }
}

/** Other tabs of the same browser take all streams that it has. */
async function takeStreams(page: Page, address: string): Promise<void> {
  for (let tab = 0; tab < 4; tab += 1) {
    const other = await newPage(page.context());
    await other.goto(address);
    await other.getByRole('link', { name: 'web-1' }).waitFor();
  }
}

it.each(['with a stream', 'while other tabs have all streams'])(
  'a list that is open for a day stays logged in, follows changes, and does not grow: %s',
  async (how) => {
    const page = await product.open('/settings');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    const address = `${product.base}/console/o/${product.organizationId}/p/${product.projectId}/instances`;
    if (how !== 'with a stream') await takeStreams(page, address);
    await page.clock.install();
    await page.goto(address);
    await page.getByRole('link', { name: 'web-1' }).waitFor();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable');
    const problems: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    page.on('pageerror', ({ message }) => problems.push(message));
    let renewals = 0;
    page.on('response', (response) => {
      if (response.url().endsWith('/oauth2/v2/token') && response.ok()) renewals += 1;
    });
    let settled: Awaited<ReturnType<typeof keptBy>> | undefined;
    for (let hour = 1; hour <= hours; hour += 1) {
      await anHour(page);
      await expect.poll(() => renewals, { message: `renewals in ${hour} hours` }).toBeGreaterThanOrEqual(hour);
      if (hour === settledHour) settled = await keptBy(devtools);
    }
    // A token is valid for an hour, and renewed five minutes earlier. More would be repetitions of failed ones.
    expect(renewals).toBeLessThan(1.5 * hours);
    const { nodes = 0, listeners = 0, heap = 0 } = settled ?? {};
    const kept = await keptBy(devtools);
    expect(kept.nodes).toBeLessThan(nodes + 50);
    expect(kept.listeners).toBeLessThan(listeners + 50);
    // The browser compiles more and more of the code.
    expect(kept.heap).toBeLessThan(1.5 * heap);
    const name = how === 'with a stream' ? 'streamed-later' : 'polled-later';
    const { organizationId, projectId, networkId } = product;
    const { flavorId = '', imageId = '' } = product.credentials;
    await createInstances(product.api, [name], { organizationId, projectId, networkId, flavorId, imageId });
    await page.getByRole('link', { name }).waitFor();
    expect(page.url()).toBe(address);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(problems).toEqual([]);
  },
  300_000,
);
