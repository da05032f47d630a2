import { defineMigration, type Migration } from '@unikorn/core/migration';
import { moveFinalizers } from '@unikorn/core/references';

import { Project } from './kinds/project.ts';

/** What changed in what identity stores, oldest first. */
export const identityMigrations: readonly Migration[] = [
  defineMigration({ name: 'identity-project-references', run: ({ store }) => moveFinalizers(store, Project) }),
];
