import { chromium, type Browser } from 'playwright-core';

import { Unikorn } from '../packages/unikorn/src/unikorn.fixture.ts';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** A new server and a browser. Both are removed afterwards. */
export async function startProduct(): Promise<{
  readonly unikorn: Unikorn;
  readonly browser: Browser;
  stop(): Promise<void>;
}> {
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
  const unikorn = new Unikorn(['serve', '--port', '0', '--ephemeral', '--log-level', 'silent']);
  return {
    unikorn,
    browser,
    stop: async () => {
      await browser.close();
      await unikorn.kill('SIGTERM');
    },
  };
}
