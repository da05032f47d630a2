import { defineMigration, type Migration } from '@unikorn/core/migration';
import { leaseMigration } from '@unikorn/core/parts';
import { moveFinalizers } from '@unikorn/core/references';

import { Project } from './kinds/project.ts';

/**
 * The changes of identity's stored data, oldest first.
 *
 * @example await runMigrations({ store, world, telemetry }, [...identityMigrations, ...regionMigrations, ...computeMigrations]);
 */
export const identityMigrations: readonly Migration[] = [
  defineMigration({ name: 'identity-project-references', run: ({ store }) => moveFinalizers(store, Project) }),
  leaseMigration({ name: 'identity-leases-of-parts', from: 'identity-controllers' }),
];
