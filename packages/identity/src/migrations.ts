import type { Migration } from '@unikorn/core/migration';

/** What changed in what identity stores, oldest first. */
export const identityMigrations: readonly Migration[] = [];
