export { MigrationRecord } from './kind.ts';
export { defineMigration, type Migration, type MigrationContext } from './migration.ts';
export { objectsOf } from './objects.ts';
export { runMigrations } from './run.ts';
