import { defineConfig } from 'vitest/config';

/** Replicas of every part on a real Kubernetes API server, which is built first if it is missing. */
export default defineConfig({
  test: {
    include: ['e2e/distributed/*.e2e.ts'],
    fileParallelism: false,
    bail: 1,
    globalSetup: ['e2e/kubernetes/build.ts'],
    // Long, because a machine with other work needs minutes to start twelve processes.
    testTimeout: 900_000,
    hookTimeout: 600_000,
  },
});
