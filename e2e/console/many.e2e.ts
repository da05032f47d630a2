import { loadavg } from 'node:os';

import { systemWorld as world } from '@unikorn/core/world';
import { connect, dataOf, type Instance, type Unikorn } from '@unikorn/sdk';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { freePort, startConsole } from './console.fixture.ts';
import { setQuota } from './furnish.fixture.ts';
import { Network } from './network.fixture.ts';

/**
 * A project with many instances: enough for a long list, and ten thousand in `npm run test:console:many`. The limits
 * here are counted, because times say more about the machine than about the pages: rows in the document, calls of
 * functions, bytes. The times of the run are printed at the end.
 */
const count = Number(process.env['UNIKORN_MANY'] ?? 1_500);
const lanes = 64;
/** Changes per second that the list must absorb, and for how long. */
const rate = 200;
const duration_ms = 5_000;
/** Bytes of a stream that contain more instances than a screen has rows. */
const firstBytes = 128 * 1024;

const network = new Network();
let product: Awaited<ReturnType<typeof startConsole>>;
/** Not through the network that holds streams back. */
let api: Unikorn;
let page: Page;
let devtools: CDPSession;
let ids: readonly string[];
/** What was asked for, the same for all instances. */
let wanted: Instance['spec'];
const figures: Record<string, string> = {};

beforeAll(async () => {
  const near = await network.listen();
  network.target = await freePort();
  product = await startConsole({
    args: ['--ephemeral', '--port', String(network.target), '--public-url', `http://127.0.0.1:${near}`],
    environment: { UNIKORN_REQUESTS_PER_SECOND: '100000', UNIKORN_REQUESTS: '1000' },
  });
  api = connect({ endpoints: `http://127.0.0.1:${network.target}`, token: product.credentials.adminToken });
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
  network.close();
});

/** The instances, in a region without delays. */
async function make(): Promise<readonly string[]> {
  const { region, compute } = api;
  const { organizationId, projectId } = product;
  const { regionId = '', flavorId = '', imageId = '' } = product.credentials;
  await region.PUT('/api/v2/regions/{regionID}/simulation', {
    params: { path: { regionID: regionId } },
    body: { call_ms: 0, build_ms: 0, serversPerIdentity: 1_000_000, places: { [flavorId]: 1_000_000 } },
  });
  await setQuota(api, organizationId, { servers: 100_000 });
  const { metadata: large } = await dataOf(
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
          spec: { organizationId, projectId, networkId: large.id, flavorId, imageId },
        },
      }),
    );
    made[index] = metadata.id;
  });
  const path = { instanceID: made[0] ?? '' };
  wanted = (await dataOf(compute.GET('/api/v2/instances/{instanceID}', { params: { path } }))).spec;
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
  await inLanes(total, (index) => tag(index * Math.floor(count / total), value));
}

/** One request for each change: reading the instance before would take half of the time. */
async function tag(index: number, value: string): Promise<void> {
  await api.compute.PUT('/api/v2/instances/{instanceID}', {
    params: { path: { instanceID: ids[index] ?? '' } },
    body: { metadata: { name: nameOf(index), tags: [{ name: 'turn', value }] }, spec: wanted },
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

/** The group of a filter when it contains all of them. Some instances of the demo are there, too. */
function complete(group: string): RegExp {
  return new RegExp(`^${group} ${new Intl.NumberFormat('en').format(count).replace(/\d$/, '\\d')}$`);
}

it('shows all of them, and draws only the visible ones', async () => {
  // Once without being measured, until all of them run: then nothing else changes.
  await page.goto(list());
  await page.getByRole('button', { name: complete('Running') }).waitFor({ timeout: 240_000 });
  const bare = await readBare();
  const begun = now_ms();
  await page.goto(list());
  await page.locator('[data-row]').first().waitFor();
  const first = now_ms() - begun;
  await page.getByRole('button', { name: complete('All') }).waitFor();
  figures['first rows, and all'] = `${first.toFixed(0)} and ${(now_ms() - begun).toFixed(0)} ms`;
  figures['a bare page that only reads them'] = `${bare.toFixed(0)} ms`;
  figures['load of the machine'] = loadavg()
    .map((load) => load.toFixed(1))
    .join(', ');
  const rows = await page.getByRole('table', { name: 'Instances' }).getAttribute('aria-rowcount');
  expect(Number(rows)).toBeGreaterThan(count);
  expect(await page.locator('[data-row]').count()).toBeLessThan(60);
}, 300_000);

/** How long a page takes that only reads the list, and shows nothing. */
function readBare(): Promise<number> {
  const { organizationId, projectId, token } = product;
  const url = `/compute/api/v2/instances?organizationID=${organizationId}&projectID=${projectId}`;
  return page.evaluate<number>(`(async () => {
    const begun = performance.now();
    const headers = { accept: 'text/event-stream', authorization: 'Bearer ${token}' };
    const { body } = await fetch(${JSON.stringify(url)}, { headers });
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ''; !text.includes('event: synced'); text = text.slice(-100) + (await reader.read()).value);
    await reader.cancel();
    return performance.now() - begun;
  })()`);
}

it('shows the first rows when only the beginning of the stream has arrived', async () => {
  network.holdStreamsAfter(firstBytes);
  await page.goto(list());
  await page.locator('[data-row]').first().waitFor();
  await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor();
  expect(await page.getByRole('button', { name: complete('All') }).count()).toBe(0);
  network.releaseStreams();
  await page.getByRole('button', { name: complete('All') }).waitFor();
  await expect.poll(() => page.getByRole('status').filter({ hasText: 'Loading' }).count()).toBe(0);
});

it('takes less than 150 MB of memory', async () => {
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('Performance.enable');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const used = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.POSITIVE_INFINITY;
  figures['heap'] = `${(used / 1e6).toFixed(0)} MB`;
  expect(used).toBeLessThan(150e6);
});

it('scrolling costs as much as in a list of a hundred', async () => {
  const cost = async (address: string, all: RegExp) => {
    await page.goto(address);
    await page.getByRole('button', { name: all }).waitFor();
    await page.locator('[data-row]').first().hover();
    await scrollOneScreen();
    return calls(async () => {
      for (let screen = 0; screen < 4; screen += 1) await scrollOneScreen();
    });
  };
  const few = await cost(`${list()}?q=many-000`, /^All 100$/);
  const many = await cost(list(), complete('All'));
  figures['calls for four screens, of 100 rows and of all'] = `${few} and ${many}`;
  expect(many).toBeLessThan(2 * few);
});

it('a change draws its own row and no other', async () => {
  await page.goto(`${list()}?cols=name,status,tags`);
  await page.getByRole('button', { name: complete('All') }).waitFor();
  const [first, hidden, last] = [3, count / 2, 5];
  const shown = (index: number, value: string) =>
    page.locator(`[data-row="${ids[index] ?? ''}"]`).getByText(`turn=${value}`);
  // After one change, the list has also drawn everything that belongs to its beginning.
  await tag(first, 'before');
  await shown(first, 'before').waitFor();
  await page.evaluate(`(() => {
    window.drawn = new Set();
    const rowOf = (node) => (node instanceof Element ? node : node.parentElement)?.closest('[data-row]')?.dataset.row;
    // The head is always drawn: its box says whether all rows are selected.
    const isInHead = (node) => node instanceof Element && node.closest('[role=columnheader]') !== null;
    new MutationObserver((changes) => {
      for (const { target } of changes) if (!isInHead(target)) window.drawn.add(rowOf(target) ?? target.nodeName);
    })
      .observe(document.querySelector('[role=table]'), { subtree: true, childList: true, characterData: true, attributes: true });
  })()`);
  // The second one is below the visible rows, and its change arrives before that of the third one.
  for (const index of [first, hidden, last]) await tag(index, 'alone');
  await shown(last, 'alone').waitFor();
  expect(new Set(await page.evaluate<readonly string[]>('[...window.drawn]'))).toEqual(
    new Set([ids[first], ids[last]]),
  );
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
  const changed = own.getByRole('button', { name: `All ${total}`, exact: true });
  let turns = 0;
  const work = await calls(async () => {
    await change(total, 'one');
    await expect
      .poll(async () => {
        turns += 1;
        await own.clock.runFor(250);
        return changed.count();
      })
      .toBe(1);
  });
  figures['calls for 200 changes'] = `${work}, drawn ${turns} times at most`;
  // Each change may cost something, and each drawing some passes over all rows. A pass over all rows for each change is
  // too much.
  expect(work).toBeLessThan(0.75 * total * count);
  await own.context().close();
});

it('a page of which the instances are only a part lists the first of them', async () => {
  await page.goto(`${product.base}/console/platform/regions/${product.credentials.regionId ?? ''}`);
  const instances = page.getByRole('region', { name: 'Instances' });
  await instances.getByText(/^and [\d,]+ more$/).waitFor();
  expect(await instances.getByRole('listitem').count()).toBe(51);
});

/** Notes how long each frame takes, and each task that blocks the page for more than 50 ms. */
const record = `(() => {
  window.noted = { frames: [], tasks: [] };
  let last = performance.now();
  const tick = (now) => { window.noted.frames.push(now - last); last = now; requestAnimationFrame(tick); };
  requestAnimationFrame(tick);
  new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) window.noted.tasks.push(duration); })
    .observe({ type: 'longtask' });
})()`;

it('the figures of the clock', async () => {
  const own = await product.open('/settings');
  await own.addInitScript(record);
  /** What was noted since the last time. */
  const note = async (name: string) => {
    const { frames, tasks } = await own.evaluate<{
      readonly frames: readonly number[];
      readonly tasks: readonly number[];
    }>(
      '(() => { const { frames, tasks } = window.noted; return { frames: frames.splice(0), tasks: tasks.splice(0) }; })()',
    );
    const longest = Math.max(0, ...frames).toFixed(0);
    figures[name] = `longest frame ${longest} ms of ${frames.length} frames, ${tasks.length} tasks over 50 ms`;
    expect(frames.length).toBeGreaterThan(0);
  };
  await own.goto(list());
  await own.locator('[data-row]').first().waitFor();
  await note('beginning of the page');
  await own.getByRole('button', { name: complete('All') }).waitFor();
  await note('loading');
  await own.locator('[data-row]').first().hover();
  await world.sleep(500);
  await note('nothing happens');
  for (let screen = 0; screen < 60; screen += 1) await own.mouse.wheel(0, 400);
  await world.sleep(1_000);
  await note('scrolling');
  await changeSteadily('steady');
  await note('changes');
  // A filter by the tag counts the changes that have arrived.
  await own.goto(`${list()}?q=turn=steady`);
  const total = new Intl.NumberFormat('en').format((rate * duration_ms) / 1000);
  await own.getByRole('button', { name: `All ${total}`, exact: true }).waitFor();
  await own.context().close();
}, 300_000);

/** Changes instances at a steady rate, each once. */
async function changeSteadily(value: string): Promise<void> {
  const total = (rate * duration_ms) / 1000;
  const begun = now_ms();
  await inLanes(total, async (index) => {
    await world.sleep(begun + (index * 1000) / rate - now_ms());
    await tag(index, value);
  });
  const perSecond = total / ((now_ms() - begun) / 1000);
  figures['changes per second'] = `${perSecond.toFixed(0)} of ${rate} that were asked for`;
}
