import type { Migration } from '@unikorn/core/migration';

/** What changed in what region stores, oldest first. */
export const regionMigrations: readonly Migration[] = [];
