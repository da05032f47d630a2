import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';

import type { AxeResults } from 'axe-core';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';

import { connect, type Unikorn as Api } from '@unikorn/sdk';

import { Unikorn } from '../../packages/unikorn/src/unikorn.fixture.ts';
import { furnish, hurry, type Furnished } from './furnish.fixture.ts';

type Credentials = ReturnType<Unikorn['credentials']>;

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Person {
  readonly email: string;
  readonly password: string;
}

export interface Console {
  readonly base: string;
  readonly browser: Browser;
  /** The API with all rights, to prepare and to check what the pages do. */
  readonly api: Api;
  /** The token with all rights, for the command line. */
  readonly token: string;
  /** What is there: the demo data, or the same things in an organization of the test file. */
  readonly organizationId: string;
  readonly projectId: string;
  readonly secondaryProjectId: string;
  readonly credentials: Credentials;
  readonly administrator: Person;
  /**
   * A new browser session in which the administrator, or another person, is logged in, at this path
   * below `/console`.
   */
  open(path?: string, person?: Person): Promise<Page>;
  /** A new browser session without a login. */
  visit(path?: string): Promise<Page>;
  stop(): Promise<void>;
}

export interface Options {
  /** Arguments of the executable. */
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** A new product with its demo data. For journeys that break regions, or the product itself. */
export async function startConsole({ args = ['--ephemeral'], environment = {} }: Options = {}): Promise<
  Console & { readonly unikorn: Unikorn }
> {
  const unikorn = new Unikorn(
    ['serve', ...(args.includes('--port') ? [] : ['--port', '0']), '--log-level', 'silent', ...args],
    environment,
  );
  const browser = await chromium.connect(inject('shared').browser);
  const base = await unikorn.ready();
  const credentials = unikorn.credentials();
  await hurry(base, credentials);
  const { organizationId = '', projectId = '', secondaryProjectId = '' } = credentials;
  const stop = async () => {
    await browser.close();
    await unikorn.kill('SIGTERM');
  };
  return {
    unikorn,
    ...consoleAt(base, browser, credentials),
    organizationId,
    projectId,
    secondaryProjectId,
    stop,
  };
}

/** The product that all test files share, with an organization of this file. Nothing in it may be broken. */
export async function shareConsole(): Promise<Console & Furnished> {
  const { browser: address, base, credentials } = inject('shared');
  const browser = await chromium.connect(address);
  const opened = consoleAt(base, browser, credentials);
  return { ...opened, ...(await furnish(opened.api, credentials)), stop: () => browser.close() };
}

function consoleAt(base: string, browser: Browser, credentials: Credentials) {
  const { adminToken, administrator } = credentials;
  const admin = { email: administrator.email, password: administrator.password ?? '' };
  const sessions = new Map<string, Promise<Cookies>>();
  const visit = async (path = '/', cookies: Cookies = []) => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      storageState: { cookies, origins: [] },
    });
    // A page that nobody needs any more would still follow its streams, and take time from the next test.
    if (expect.getState().currentTestName !== undefined) onTestFinished(() => context.close());
    const page = await newPage(context);
    await page.goto(`${base}/console${path}`);
    return page;
  };
  /** One login for each person. The session cookie of it logs in every other browser session without a page. */
  const sessionOf = (person: Person) => {
    const known = sessions.get(person.email) ?? begin(person);
    sessions.set(person.email, known);
    return known;
  };
  const begin = async (person: Person): Promise<Cookies> => {
    const page = await visit('/settings');
    await logIn(page, person);
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    const { cookies } = await page.context().storageState();
    await page.context().close();
    return cookies;
  };
  return {
    base,
    browser,
    api: connect({ endpoints: base, token: adminToken }),
    token: adminToken,
    credentials,
    administrator: admin,
    visit,
    open: async (path?: string, person: Person = admin) => visit(path, await sessionOf(person)),
  };
}

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

/** A port that nothing uses, for a server that is started again at the same address. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** Fills in the login page. */
export async function logIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/**
 * Goes to a path below `/console` as a link in a page does. For journeys through many pages: to load everything again
 * for each one would take most of their time.
 */
export async function goInside(page: Page, path: string): Promise<void> {
  await page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(`/console${path}`)} })`);
  await expect.poll(() => page.evaluate('__TSR_ROUTER__.state.status')).toBe('idle');
}

const complaints = new WeakMap<Page, string[]>();

/** A page that remembers errors, violations of the security policy, and requests to other servers. */
export async function newPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const found: string[] = [];
  complaints.set(page, found);
  page.on('console', (message) => {
    // The version of an object moves with its state, so a write can be refused. The form reads it again and repeats it.
    if (message.type() !== 'error' || message.text().includes('status of 412')) return;
    found.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => found.push(error.message));
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol !== 'data:' && protocol !== 'blob:' && protocol !== 'about:' && hostname !== '127.0.0.1')
      found.push(`request to another server: ${request.url()}`);
  });
  return page;
}

/**
 * Checks every page and dialog: no error, no violation of the security policy, no request to another server; and for
 * axe no violation in both themes, on a wide and on a narrow screen, without scrolling sideways. Errors that a journey
 * causes on purpose are named.
 */
export async function checked(page: Page, expected: readonly RegExp[] = []): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(axe);
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    const place = `${page.url()} at ${width} px`;
    expect(await violations(page), `${place}, light`).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), place).toBeLessThanOrEqual(0);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page, rulesOfColours), `${place}, dark`).toEqual([]);
    await page.emulateMedia({ colorScheme: 'light' });
  }
  await page.setViewportSize(size);
  const found = complaints.get(page)?.splice(0) ?? [];
  expect(found.filter((each) => !expected.some((pattern) => pattern.test(each)))).toEqual([]);
}

/** The rules that look at colours. The themes differ in nothing else: a test of the style sheet makes sure of it. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

/**
 * Focus guards are left out: they take the focus on purpose, to send it back into the open menu. Open menus are outside
 * of the landmarks, at the end of the page, as browsers and screen readers expect it.
 */
async function violations(page: Page, only?: readonly string[]): Promise<readonly string[]> {
  const options = {
    resultTypes: ['violations'],
    // The style sheets are on this page, so nothing has to be loaded for the rules.
    preload: false,
    ...(only ? { runOnly: only } : { rules: { region: { enabled: false } } }),
  };
  // Evaluated in the page, where axe is a global.
  const results = await page.evaluate<AxeResults['violations']>(
    `axe.run({ exclude: ['[data-base-ui-focus-guard]'] }, ${JSON.stringify(options)}).then((results) => results.violations)`,
  );
  return results.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  );
}
