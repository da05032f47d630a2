import type { Migration } from '@unikorn/core/migration';
import { leaseMigration } from '@unikorn/core/parts';

/**
 * The changes of compute's stored data, oldest first.
 *
 * @example await runMigrations({ store, world, telemetry }, [...identityMigrations, ...regionMigrations, ...computeMigrations]);
 */
export const computeMigrations: readonly Migration[] = [
  leaseMigration({
    name: 'compute-leases-of-parts',
    from: 'compute-controllers',
    to: 'compute/instance-controller',
  }),
];
