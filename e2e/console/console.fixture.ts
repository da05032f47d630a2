import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';

import { connect, type Unikorn as Api } from '@unikorn/sdk';

import { startProduct } from '../product.fixture.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Console {
  readonly base: string;
  readonly browser: Browser;
  /** The API with all rights, to prepare and to check what the pages do. */
  readonly api: Api;
  /** The demo data. */
  readonly organizationId: string;
  readonly projectId: string;
  readonly secondaryProjectId: string;
  readonly administrator: { readonly email: string; readonly password: string };
  /** A new browser session in which the administrator is logged in, at this path below `/console`. */
  open(path?: string): Promise<Page>;
  /** A new browser session without a login. */
  visit(path?: string): Promise<Page>;
  stop(): Promise<void>;
}

/** A new product with its demo data, and a browser. */
export async function startConsole(): Promise<Console> {
  const product = await startProduct();
  const base = await product.unikorn.ready();
  const { adminToken, administrator, organizationId, projectId, secondaryProjectId } = product.unikorn.credentials();
  const credentials = { email: administrator.email, password: administrator.password ?? '' };
  const visit = async (path = '/') => {
    const page = await newPage(await product.browser.newContext({ viewport: { width: 1280, height: 800 } }));
    await page.goto(`${base}/console${path}`);
    return page;
  };
  return {
    base,
    browser: product.browser,
    api: connect({ endpoints: base, token: adminToken }),
    organizationId: organizationId ?? '',
    projectId: projectId ?? '',
    secondaryProjectId: secondaryProjectId ?? '',
    administrator: credentials,
    visit,
    open: async (path) => {
      const page = await visit(path);
      await logIn(page, credentials);
      return page;
    },
    stop: () => product.stop(),
  };
}

/** Fills in the login page. */
export async function logIn(page: Page, { email, password }: Console['administrator']): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

const complaints = new WeakMap<Page, string[]>();

/** A page that remembers errors, violations of the security policy, and requests to other servers. */
export async function newPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const found: string[] = [];
  complaints.set(page, found);
  page.on('console', (message) => {
    if (message.type() === 'error') found.push(message.text());
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
 * axe no violation in both themes, on a wide and on a narrow screen. Errors that a journey causes on
 * purpose are named.
 */
export async function checked(page: Page, expected: readonly RegExp[] = []): Promise<void> {
  const size = page.viewportSize() ?? { width: 1280, height: 800 };
  for (const width of [1280, 360])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      expect(await violations(page), `${page.url()} at ${width} px, ${colorScheme}`).toEqual([]);
    }
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: 'light' });
  const found = complaints.get(page) ?? [];
  expect(found.filter((each) => !expected.some((pattern) => pattern.test(each)))).toEqual([]);
}

/**
 * Focus guards are left out: they take the focus on purpose, to send it back into the open menu. Open menus are outside
 * of the landmarks, at the end of the page, as browsers and screen readers expect it.
 */
async function violations(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe);
  // Evaluated in the page, where axe is a global.
  const results = await page.evaluate<AxeResults['violations']>(
    `axe.run({ exclude: ['[data-base-ui-focus-guard]'] }, { rules: { region: { enabled: false } } }).then((results) => results.violations)`,
  );
  return results.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary ?? ''}`),
  );
}
