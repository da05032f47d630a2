import { defineConfig } from 'vitest/config';

/** Builds the container image and starts it. */
export default defineConfig({
  test: { include: ['e2e/image/*.e2e.ts'], testTimeout: 600_000, hookTimeout: 600_000 },
});
