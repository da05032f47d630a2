import { defineConfig } from 'vitest/config';

/** Journeys through the console in a real browser, against the real product; `.ci/run` installs the browser. */
export default defineConfig({
  test: {
    include: ['e2e/console/*.e2e.ts'],
    globalSetup: ['e2e/console/suite.setup.ts'],
    // Some journeys wait half a minute for a lease or the next attempt, so that two workers would not use two cores.
    maxWorkers: 3,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
