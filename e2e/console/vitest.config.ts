import { defineConfig } from 'vitest/config';

/** Journeys through the console in a real browser, against the real product; `.ci/run` installs the browser. */
export default defineConfig({
  test: {
    include: ['e2e/console/*.e2e.ts'],
    globalSetup: ['e2e/console/suite.setup.ts'],
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
