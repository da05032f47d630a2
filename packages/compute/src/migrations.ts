import type { Migration } from '@unikorn/core/migration';

/** What changed in what compute stores, oldest first. */
export const computeMigrations: readonly Migration[] = [];
