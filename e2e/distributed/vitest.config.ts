import { defineConfig } from 'vitest/config';

/** Replicas of every part on a real Kubernetes API server, which is built first if it is missing. */
export default defineConfig({
  test: {
    include: ['e2e/distributed/*.e2e.ts'],
    fileParallelism: false,
    globalSetup: ['e2e/kubernetes/build.ts'],
    testTimeout: 360_000,
    hookTimeout: 180_000,
  },
});
