import { Type } from 'typebox';

import { defineKind, type Resource } from '../kinds/index.ts';

/** Records that a migration is complete in this state. Its name is the name of the migration. */
export const MigrationRecord = defineKind({
  group: 'core.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'MigrationRecord',
  plural: 'migrationrecords',
  realisation: 'static',
  spec: Type.Object({
    finishedAt: Type.String(),
    /** The digest of the objects that are being imported. Only the record of an import that is not complete has it. */
    importing: Type.Optional(Type.String()),
  }),
  status: {},
});
export type MigrationRecord = Resource<typeof MigrationRecord>;
