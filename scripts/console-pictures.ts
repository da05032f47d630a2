// Makes the pictures of the console in docs/images from the running product: `node scripts/console-pictures.ts`, with
// Chromium installed. Names of pictures as arguments make only those.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

import { chromium, type Browser, type Page } from 'playwright-core';

import { connect, dataOf, type Unikorn as Api } from '@unikorn/sdk';

import { createInstances, hurry, setQuota } from '../e2e/console/furnish.fixture.ts';
import { browserOptions } from '../e2e/product.fixture.ts';
import { Unikorn } from '../packages/unikorn/src/unikorn.fixture.ts';

const folder = join(dirname(import.meta.dirname), 'docs/images');
const size = { width: 1280, height: 800 };
/** In the page: answers have no date. */
const withoutDates =
  "const { get } = Headers.prototype; Headers.prototype.get = function (name) { return name === 'date' ? null : get.call(this, name); };";
/** What is shown was made this long ago, in every run. */
const age_ms = 4 * 60_000;

type Credentials = ReturnType<Unikorn['credentials']>;

interface Picture {
  readonly name: string;
  readonly path: (ids: Ids) => string;
  readonly theme?: 'light' | 'dark';
  readonly size?: { readonly width: number; readonly height: number };
  /** What must be there, and what the user does before the picture is made. */
  readonly prepare: (page: Page) => Promise<void>;
}

interface Ids {
  readonly project: string;
  readonly research: string;
  readonly organization: string;
  readonly region: string;
  readonly instances: Readonly<Record<string, string>>;
  readonly group: string;
}

const shows = (page: Page, text: string | RegExp) => page.getByRole('main').getByText(text).first().waitFor();

const pictures: readonly Picture[] = [
  {
    name: 'console-instances',
    path: ({ project }) => `${project}/instances`,
    prepare: async (page) => {
      await shows(page, 'stopped');
      await shows(page, 'creating');
    },
  },
  {
    name: 'console-cause',
    path: ({ research, instances }) => `${research}/instances/${instances['trainer'] ?? ''}`,
    prepare: (page) => shows(page, /The cause/),
  },
  {
    name: 'console-plan',
    path: ({ project, instances }) => `${project}/instances/${instances['web-1'] ?? ''}?change=1`,
    prepare: async (page) => {
      const image = page.getByRole('dialog').getByLabel('Image');
      await image.locator('option', { hasText: 'ubuntu-24.04-gpu-amd64' }).waitFor({ state: 'attached' });
      await image.selectOption('ubuntu-24.04-gpu-amd64');
      await page.getByText('This is lost:').waitFor();
    },
  },
  {
    name: 'console-create',
    path: ({ project }) => `${project}/instances/new?name=web-3`,
    prepare: async (page) => {
      await page.getByRole('radio', { name: /sim-standard-4/ }).check();
      await page.getByRole('combobox', { name: 'Image' }).selectOption('debian-13-amd64');
      await page.getByText('The same as a command, file or request').click();
      await shows(page, 'npx unikorn instance create');
    },
  },
  {
    name: 'console-history',
    path: ({ project, instances }) => `${project}/instances/${instances['web-1'] ?? ''}/history`,
    prepare: (page) => shows(page, 'create'),
  },
  {
    name: 'console-rules',
    path: ({ project, group }) => `${project}/security-groups/${group}`,
    prepare: (page) => shows(page, '443'),
  },
  {
    name: 'console-quotas',
    path: ({ organization }) => `${organization}/quotas?kind=servers`,
    prepare: (page) => shows(page, 'trainer'),
  },
  {
    name: 'console-dark',
    path: ({ project }) => `${project}/instances`,
    theme: 'dark',
    prepare: (page) => shows(page, 'stopped'),
  },
  {
    name: 'console-phone',
    path: ({ research, instances }) => `${research}/instances/${instances['trainer'] ?? ''}`,
    size: { width: 390, height: 844 },
    prepare: (page) => shows(page, /The cause/),
  },
];

async function idsOf({ region, compute }: Api, credentials: Credentials): Promise<Ids> {
  const { organizationId = '', projectId = '', secondaryProjectId = '', regionId = '' } = credentials;
  const organization = `/o/${organizationId}`;
  const [group] = await dataOf(region.GET('/api/v2/securitygroups'));
  const instances = await dataOf(compute.GET('/api/v2/instances'));
  return {
    organization,
    project: `${organization}/p/${projectId}`,
    research: `${organization}/p/${secondaryProjectId}`,
    region: regionId,
    instances: Object.fromEntries(instances.map(({ metadata }) => [metadata.name, metadata.id])),
    group: group?.metadata.id ?? '',
  };
}

/** More instances than the demo has, in several states. */
async function populate(api: Api, base: string, credentials: Credentials): Promise<void> {
  const { organizationId = '', projectId = '', networkId = '', flavorId = '', imageId = '' } = credentials;
  const { regionId: regionID = '' } = credentials;
  const place = { organizationId, projectId, networkId, flavorId, imageId };
  await setQuota(api, organizationId, { servers: 20 });
  await hurry(base, credentials);
  await createInstances(api, ['api-1', 'api-2', 'cache-1', 'worker-1', 'worker-2'], place);
  const [database = ''] = await createInstances(api, ['db-1', 'db-2'], { ...place, deletionProtection: true });
  await settled(api);
  await api.compute.POST('/api/v2/instances/{instanceID}/stop', { params: { path: { instanceID: database } } });
  await api.region.PUT('/api/v2/regions/{regionID}/simulation', {
    params: { path: { regionID } },
    body: { build_ms: 3_600_000 },
  });
  await createInstances(api, ['worker-3'], place);
}

/** Waits until the demo is as a user sees it after a minute. */
async function settled({ compute }: Api): Promise<void> {
  for await (const change of compute.follow('/api/v2/instances')) {
    if (change.type === 'deleted' || change.type === 'reset') continue;
    const instances = await dataOf(compute.GET('/api/v2/instances'));
    const ready = instances.filter(
      ({ metadata, status }) => metadata.name === 'trainer' || status.powerState === 'Running',
    );
    if (ready.length === instances.length) return;
  }
}

/** Ids and addresses of the server differ from run to run. */
const mask = `for (const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); walker.nextNode(); ) {
  const node = walker.currentNode;
  node.data = node.data.replace(/\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b/g, '0b7f2a52-8c1d-4e6f-9a3b-5d2c71e0f846')
    .replace(/\\b[0-9a-f]{8}…[0-9a-f]{4}\\b/g, '0b7f2a52…f846');
}`;

async function photograph(
  browser: Browser,
  base: string,
  credentials: Credentials,
  ids: Ids,
  wanted: readonly string[],
) {
  const { email, password = '' } = credentials.administrator;
  for (const { name, path, theme = 'light', size: own = size, prepare } of pictures) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const context = await browser.newContext({
      viewport: own,
      deviceScaleFactor: 2,
      colorScheme: theme,
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
    });
    const page = await context.newPage();
    await page.clock.setFixedTime(Date.now() + age_ms);
    // The pages would correct this clock by the date of each answer.
    await page.addInitScript(withoutDates);
    await page.goto(`${base}/console${path(ids)}`);
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await prepare(page);
    await allNames(page);
    await page.evaluate(mask);
    await page.evaluate('document.fonts.ready');
    const devtools = await context.newCDPSession(page);
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 88 });
    writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
    process.stdout.write(`${name}.webp: ${Math.round((data.length * 0.75) / 1000)} kB\n`);
    await context.close();
  }
}

/** Waits until the names of the organization and the project are in the header, and stay there. */
async function allNames(page: Page): Promise<void> {
  for (let calm = 0; calm < 4; calm += 1) {
    await setTimeout(250);
    if ((await page.getByRole('banner', { includeHidden: true }).innerText()).includes('…')) calm = -1;
  }
}

const unikorn = new Unikorn(['serve', '--port', '0', '--ephemeral', '--log-level', 'silent']);
const browser = await chromium.launch(browserOptions);
try {
  mkdirSync(folder, { recursive: true });
  const base = await unikorn.ready();
  const credentials = unikorn.credentials();
  const api = connect({ endpoints: base, token: credentials.adminToken });
  await populate(api, base, credentials);
  await photograph(browser, base, credentials, await idsOf(api, credentials), process.argv.slice(2));
} finally {
  await browser.close();
  await unikorn.kill('SIGTERM');
}
