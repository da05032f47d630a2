import { defineConfig } from 'vitest/config';

/** Tests of the product as a whole, started as its users start it. */
export default defineConfig({
  test: {
    include: ['e2e/product/*.e2e.ts'],
    // Each suite has a product of its own, and mostly waits for it.
    maxWorkers: 2,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
  },
});
