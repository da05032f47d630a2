import { systemWorld as world } from '@unikorn/core/world';
import { dataOf } from '@unikorn/sdk';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startConsole } from './console.fixture.ts';
import { setQuota } from './furnish.fixture.ts';

/**
 * A project with ten thousand instances. The limits here are counted, because times say more about the machine than
 * about the pages: rows in the document, calls of functions, bytes. The times of the run are printed at the end.
 */
const count = 10_000;
const lanes = 64;

let product: Awaited<ReturnType<typeof startConsole>>;
let page: Page;
let devtools: CDPSession;
let ids: readonly string[];
const figures: Record<string, string> = {};

beforeAll(async () => {
  product = await startConsole({
    environment: { UNIKORN_REQUESTS_PER_SECOND: '100000', UNIKORN_REQUESTS: '1000' },
  });
  ids = await make();
  page = await product.open('/settings');
  devtools = await page.context().newCDPSession(page);
}, 600_000);

afterAll(async () => {
  process.stdout.write(
    Object.entries(figures)
      .map(([name, value]) => `  ${name}: ${value}\n`)
      .join(''),
  );
  await product.stop();
});

/** The instances, in a region without delays. */
async function make(): Promise<readonly string[]> {
  const { region, compute } = product.api;
  const { organizationId, projectId } = product;
  const { regionId = '', flavorId = '', imageId = '' } = product.credentials;
  await region.PUT('/api/v2/regions/{regionID}/simulation', {
    params: { path: { regionID: regionId } },
    body: { call_ms: 0, build_ms: 0, serversPerIdentity: 1_000_000, places: { [flavorId]: 1_000_000 } },
  });
  await setQuota(product.api, organizationId, { servers: 100_000 });
  const { metadata: network } = await dataOf(
    region.POST('/api/v2/networks', {
      body: {
        metadata: { name: 'large' },
        spec: { organizationId, projectId, regionId, prefix: '10.64.0.0/16', dnsNameservers: [] },
      },
    }),
  );
  const made: string[] = [];
  const begun = now_ms();
  await inLanes(count, async (index) => {
    const { metadata } = await dataOf(
      compute.POST('/api/v2/instances', {
        body: {
          metadata: { name: nameOf(index) },
          spec: { organizationId, projectId, networkId: network.id, flavorId, imageId },
        },
      }),
    );
    made[index] = metadata.id;
  });
  figures['instances made per second'] = (count / ((now_ms() - begun) / 1000)).toFixed(0);
  return made;
}

function now_ms(): number {
  return world.monotonic_ms();
}

function nameOf(index: number): string {
  return `many-${String(index).padStart(5, '0')}`;
}

async function inLanes(total: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < total; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: Math.min(lanes, total) }, lane));
}

/** Changes the tags of some instances, as many requests at once as a busy project has. */
async function change(total: number, value: string): Promise<void> {
  const { compute } = product.api;
  await inLanes(total, async (index) => {
    const path = { instanceID: ids[index * 40] ?? '' };
    const { metadata, spec } = await dataOf(compute.GET('/api/v2/instances/{instanceID}', { params: { path } }));
    await compute.PUT('/api/v2/instances/{instanceID}', {
      params: { path },
      body: { metadata: { name: metadata.name, tags: [{ name: 'turn', value }] }, spec },
    });
  });
}

const list = () => `${product.base}/console/o/${product.organizationId}/p/${product.projectId}/instances`;

/** Calls of functions of the pages while something happens. */
async function calls(work: () => Promise<void>): Promise<number> {
  await devtools.send('Profiler.enable');
  await devtools.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await work();
  const { result } = await devtools.send('Profiler.takePreciseCoverage');
  await devtools.send('Profiler.stopPreciseCoverage');
  return result
    .filter(({ url }) => url.includes('/console/assets/'))
    .flatMap(({ functions }) => functions)
    .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
}

async function scrollOneScreen(): Promise<void> {
  const drawn = () => page.locator('[data-row]').last().getAttribute('aria-rowindex');
  const before = await drawn();
  await page.mouse.wheel(0, 400);
  await expect.poll(drawn).not.toBe(before);
}

it('shows all of them, and draws only the visible ones', async () => {
  // Once without being measured, until all of them run: then nothing else changes.
  await page.goto(list());
  await page.getByRole('button', { name: /^Running 10,00\d$/ }).waitFor({ timeout: 240_000 });
  const begun = now_ms();
  await page.goto(list());
  await page.locator('[data-row]').first().waitFor();
  figures['first rows'] = `${(now_ms() - begun).toFixed(0)} ms`;
  await page.getByRole('button', { name: /^All 10,00\d$/ }).waitFor();
  figures['all rows'] = `${(now_ms() - begun).toFixed(0)} ms`;
  const rows = await page.getByRole('table', { name: 'Instances' }).getAttribute('aria-rowcount');
  expect(Number(rows)).toBeGreaterThan(count);
  expect(await page.locator('[data-row]').count()).toBeLessThan(60);
}, 300_000);

it('takes less than 150 MB of memory', async () => {
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('Performance.enable');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const used = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.POSITIVE_INFINITY;
  figures['heap'] = `${(used / 1e6).toFixed(0)} MB`;
  expect(used).toBeLessThan(150e6);
});

it('scrolling costs as much as in a list of a hundred', async () => {
  const cost = async (address: string) => {
    await page.goto(address);
    await page.locator('[data-row]').first().hover();
    await scrollOneScreen();
    return calls(async () => {
      for (let screen = 0; screen < 4; screen += 1) await scrollOneScreen();
    });
  };
  const few = await cost(`${list()}?q=many-000`);
  const many = await cost(list());
  figures['calls for four screens, of 100 rows and of all'] = `${few} and ${many}`;
  expect(many).toBeLessThan(3 * few);
});

it('two hundred changes at once are drawn together, and all of them are there', async () => {
  // The clock of the page stands still while they come, so that the speed of the machine does not count.
  const own = await product.open('/settings');
  devtools = await own.context().newCDPSession(own);
  await own.clock.install();
  await own.goto(`${list()}?cols=name,status,tags&q=turn=one`);
  await own.getByRole('button', { name: /^All/ }).waitFor();
  const now = await own.evaluate<number>('Date.now()');
  await own.clock.pauseAt(now + 1_000);
  const total = 200;
  const complete = own.getByRole('button', { name: `All ${total}`, exact: true });
  let turns = 0;
  const work = await calls(async () => {
    await change(total, 'one');
    await expect
      .poll(async () => {
        turns += 1;
        await own.clock.runFor(250);
        return complete.count();
      })
      .toBe(1);
  });
  figures['calls for 200 changes'] = `${work}, drawn ${turns} times at most`;
  // A pass over all rows for each change would be more than 200 × 10,000 calls.
  expect(work).toBeLessThan((2 + turns) * 10 * count);
  await own.context().close();
});

it('the figures of the clock', async () => {
  await page.goto(list());
  await page.locator('[data-row]').first().hover();
  const frames = page.evaluate<readonly number[]>(`new Promise((resolve) => {
    const times = [];
    const end = performance.now() + 4000;
    let last = performance.now();
    const tick = (now) => { times.push(now - last); last = now; if (now < end) requestAnimationFrame(tick); else resolve(times.slice(1)); };
    requestAnimationFrame(tick);
  })`);
  for (let screen = 0; screen < 60; screen += 1) await page.mouse.wheel(0, 400);
  const still = await frames;
  figures['longest frame while scrolling'] = `${Math.max(...still).toFixed(0)} ms of ${still.length} frames`;
  expect(still.length).toBeGreaterThan(0);
});
