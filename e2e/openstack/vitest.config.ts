import { defineConfig } from 'vitest/config';

/** Tests that need a real OpenStack, which is started first. */
export default defineConfig({
  test: {
    include: ['e2e/openstack/*.e2e.ts'],
    globalSetup: ['e2e/openstack/cloud.setup.ts'],
    // The suites mostly wait for the cloud.
    maxWorkers: 2,
    // Above the number of tests that run side by side in a suite: they share the cloud in their own way.
    maxConcurrency: 32,
    // Guards against hanging, and nothing else: load balancers take minutes on a busy machine.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    // Lists what a cloud cannot show, with the reasons.
    reporters: ['verbose'],
  },
});
