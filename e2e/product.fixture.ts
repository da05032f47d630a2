import { chromium, type Browser, type LaunchOptions } from 'playwright-core';

import { Unikorn } from '../packages/unikorn/src/unikorn.fixture.ts';

/** How tests start the browser. */
export const browserOptions: LaunchOptions = {
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
};

/** A new server and a browser. Both are removed afterwards. */
export async function startProduct({ args = ['--ephemeral'] }: { readonly args?: readonly string[] } = {}): Promise<{
  readonly unikorn: Unikorn;
  readonly browser: Browser;
  stop(): Promise<void>;
}> {
  const browser = await chromium.launch(browserOptions);
  const unikorn = new Unikorn(['serve', '--port', '0', '--log-level', 'silent', ...args]);
  return {
    unikorn,
    browser,
    stop: async () => {
      await browser.close();
      await unikorn.kill('SIGTERM');
    },
  };
}
