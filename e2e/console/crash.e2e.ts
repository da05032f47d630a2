import { dataOf } from '@unikorn/sdk';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { temporaryFolder, Unikorn } from '../../packages/unikorn/src/unikorn.fixture.ts';
import { checked, freePort, startConsole } from './console.fixture.ts';
import { quick } from './furnish.fixture.ts';

const folder = temporaryFolder();
let product: Awaited<ReturnType<typeof startConsole>>;
let unikorn: Unikorn;
let args: readonly string[];
let list: string;

beforeAll(async () => {
  args = ['--port', String(await freePort()), '--state', folder.path];
  product = await startConsole({ args });
  ({ unikorn } = product);
  list = `/o/${product.organizationId}/p/${product.projectId}/instances`;
  await buildsTake(3_000);
});

afterAll(async () => {
  await unikorn.kill('SIGTERM');
  await product.stop();
  folder.remove();
});

/** Long enough to be killed in the middle of it. */
async function buildsTake(build_ms: number): Promise<void> {
  await product.api.region.PUT('/api/v2/regions/{regionID}/simulation', {
    params: { path: { regionID: product.credentials.regionId ?? '' } },
    body: { ...quick, build_ms },
  });
}

async function restart(): Promise<void> {
  unikorn = new Unikorn(['serve', '--log-level', 'silent', ...args]);
  await unikorn.ready();
}

async function named(name: string) {
  const query = { projectID: [product.projectId] };
  const instances = await dataOf(product.api.compute.GET('/api/v2/instances', { params: { query } }));
  return instances.filter(({ metadata }) => metadata.name === name);
}

/**
 * What a user asked for in the present life of an instance, by its history. An unanswered create is undone if the
 * server was killed before it was complete, and the repeated request begins another life: the former one has ended.
 */
async function requests(instanceID: string): Promise<readonly string[]> {
  const entries = await dataOf(
    product.api.compute.GET('/api/v2/instances/{instanceID}/history', { params: { path: { instanceID } } }),
  );
  const intents = entries.filter(({ type, outcome }) => type === 'intent' && outcome === 'accepted');
  const present = intents.at(-1)?.uid;
  const former = new Set(intents.map(({ uid }) => uid).filter((uid) => uid !== present));
  const ended = entries.filter(({ action, outcome }) => action === 'deletion' && outcome === 'gone');
  expect(ended.map(({ uid }) => uid)).toEqual([...former]);
  return intents.filter(({ uid }) => uid === present).map(({ action }) => action);
}

/** What the page and its requests say while the server is away. */
const away = [/ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|ERR_SOCKET|ERR_NETWORK|Failed to fetch|50\d/];

it('the server is killed while it answers a create: the page says so, and afterwards there is one instance', async () => {
  const page = await product.open(`${list}/new`);
  await page.getByRole('textbox', { name: 'Name' }).fill('survivor');
  await page.getByRole('radio', { name: /sim-standard-4/ }).check();
  await page.getByRole('combobox', { name: 'Image' }).selectOption('debian-13-amd64');
  const create = page.getByRole('button', { name: 'Create instance' });
  const killed = page
    .waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/v2/instances'))
    .then(() => unikorn.kill('SIGKILL'));
  await create.click();
  await killed;
  await page.getByRole('alert').first().waitFor();
  await restart();
  // The request is repeated with its key: by the page, or by the user if the server was away for too long.
  await expect
    .poll(
      async () => {
        if ((await create.count()) > 0 && (await create.getAttribute('aria-disabled')) !== 'true') await create.click();
        return page.getByRole('heading', { name: 'survivor' }).count();
      },
      { timeout: 60_000 },
    )
    .toBe(1);
  await page.getByText('running', { exact: true }).first().waitFor({ timeout: 60_000 });
  const found = await named('survivor');
  expect(found).toHaveLength(1);
  expect(await requests(found[0]?.metadata.id ?? '')).toEqual(['create']);
  // The first request with the key can count as running for a moment after the restart.
  await checked(page, [...away, /409/]);
});

it('the server is killed while a machine is built: a banner, then the page goes on, and the history is whole', async () => {
  const page = await product.open(`${list}/new`);
  await page.getByRole('textbox', { name: 'Name' }).fill('built');
  await page.getByRole('radio', { name: /sim-standard-4/ }).check();
  await page.getByRole('combobox', { name: 'Image' }).selectOption('debian-13-amd64');
  await page.getByRole('button', { name: 'Create instance' }).click();
  await page.getByRole('heading', { name: 'built' }).waitFor();
  await unikorn.kill('SIGKILL');
  const banner = page.getByRole('alert').filter({ hasText: 'No connection to the server' });
  await banner.waitFor();
  // What was there is still there.
  expect(await page.getByRole('heading', { name: 'built' }).count()).toBe(1);
  await checked(page, away);
  await restart();
  await banner.waitFor({ state: 'hidden', timeout: 60_000 });
  await page.getByText('running', { exact: true }).first().waitFor({ timeout: 60_000 });
  const found = await named('built');
  expect(found).toHaveLength(1);
  expect(await requests(found[0]?.metadata.id ?? '')).toEqual(['create']);
});

it('the server is killed while a disk is replaced: the change is finished once', async () => {
  const [instance] = await named('built');
  const id = instance?.metadata.id ?? '';
  await buildsTake(10_000);
  const page = await product.open(`${list}/${id}?change=1`);
  const dialog = page.getByRole('dialog', { name: 'Change built' });
  const image = dialog.getByLabel('Image');
  await expect.poll(() => image.locator('option').allTextContents()).toContain('ubuntu-24.04-gpu-amd64');
  await image.selectOption('ubuntu-24.04-gpu-amd64');
  await dialog.getByText('This is lost:').waitFor();
  await dialog.getByLabel('Type built to confirm').fill('built');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  // The change is accepted. A dialog that still waits for its answer would stay over the page.
  await dialog.waitFor({ state: 'hidden' });
  await page.getByText('rebuilding', { exact: true }).first().waitFor();
  await unikorn.kill('SIGKILL');
  const banner = page.getByRole('alert').filter({ hasText: 'No connection to the server' });
  await banner.waitFor();
  await restart();
  await banner.waitFor({ state: 'hidden', timeout: 60_000 });
  await page.getByText('running', { exact: true }).first().waitFor({ timeout: 60_000 });
  await page.getByRole('definition').filter({ hasText: 'ubuntu-24.04-gpu-amd64' }).waitFor();
  expect(await requests(id)).toEqual(['create', 'update']);
  await page.getByRole('link', { name: 'History', exact: true }).click();
  for (const action of ['create', 'update']) await page.getByText(action, { exact: true }).first().waitFor();
  await checked(page, away);
});
