import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{packages,examples,bench,scripts}/**/*.test.{ts,tsx}'],
    // One process for every file costs 10 to 20 times as much; tests share nothing but the process.
    pool: 'threads',
    isolate: false,
    maxWorkers: 2,
    // Guards against hanging, and nothing else: tests wait for states, and a busy machine takes its time.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
  },
});
