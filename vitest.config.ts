import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{packages,examples,bench,scripts}/**/*.test.ts'],
    // One process for every file costs 10 to 20 times as much; tests share nothing but the process.
    pool: 'threads',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
