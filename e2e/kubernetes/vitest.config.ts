import { defineConfig } from 'vitest/config';

/** Tests that need a real Kubernetes API server. It is built first if it is missing. */
export default defineConfig({
  test: {
    include: ['e2e/kubernetes/*.e2e.ts'],
    globalSetup: ['e2e/kubernetes/build.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
