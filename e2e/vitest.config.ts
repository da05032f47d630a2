import { defineConfig } from 'vitest/config';

/** Tests that need a real browser; `.ci/run` installs one. */
export default defineConfig({ test: { include: ['e2e/*.e2e.ts'], testTimeout: 60_000, hookTimeout: 60_000 } });
