import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

import { Unikorn } from '../../packages/unikorn/src/unikorn.fixture.ts';
import { browserOptions } from '../product.fixture.ts';
import { hurry } from './furnish.fixture.ts';

/** What all test files share. */
export interface Shared {
  /** The address of the browser. */
  readonly browser: string;
  /** The address of a running product that no test breaks. */
  readonly base: string;
  readonly credentials: ReturnType<Unikorn['credentials']>;
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly shared: Shared;
  }
}

/** Builds the pages once, and starts one browser and one product for all test files. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  execFileSync(process.execPath, [join(import.meta.dirname, '../../packages/console/src/build/main.ts')], {
    stdio: 'inherit',
  });
  const unikorn = new Unikorn(['serve', '--port', '0', '--ephemeral', '--log-level', 'silent']);
  const browser = await chromium.launchServer(browserOptions);
  const base = await unikorn.ready();
  const credentials = unikorn.credentials();
  await hurry(base, credentials);
  provide('shared', { browser: browser.wsEndpoint(), base, credentials });
  return async () => {
    await browser.close();
    await unikorn.kill('SIGTERM');
  };
}
