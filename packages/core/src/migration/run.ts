import { isProblem } from '../errors/index.ts';
import { timestamp } from '../world/index.ts';
import { MigrationRecord } from './kind.ts';
import type { Migration, MigrationContext } from './migration.ts';

/**
 * Runs the migrations that have not run on this state, one after the other. The record is written after the migration,
 * so an interrupted one runs again. Replicas that start together may run the same migration at the same time. Services
 * of the earlier version must not run meanwhile. `onStart` gets the name of each migration.
 *
 * @example await runMigrations({ store, world, telemetry }, [...identityMigrations, ...regionMigrations]);
 */
export async function runMigrations(
  context: MigrationContext,
  migrations: readonly Migration[],
  onStart?: (name: string) => void,
): Promise<void> {
  const { store, world, telemetry } = context;
  const names = migrations.map(({ name }) => name);
  const twice = names.find((name, position) => names.indexOf(name) !== position);
  if (twice !== undefined) throw new Error(`two migrations have the name ${twice}`);
  const { items } = await store.list(MigrationRecord);
  const finished = new Set(items.map(({ metadata }) => metadata.name));
  for (const migration of migrations.filter(({ name }) => !finished.has(name))) {
    const { name } = migration;
    const started_ms = world.monotonic_ms();
    onStart?.(name);
    await migration.run(context);
    await record(context, name);
    telemetry.log.info({ migration: name, duration_ms: world.monotonic_ms() - started_ms }, 'migration complete');
  }
}

/** Another replica that started at the same time may have recorded it already. */
async function record({ store, world }: MigrationContext, name: string): Promise<void> {
  try {
    await store.create(MigrationRecord, { metadata: { name }, spec: { finishedAt: timestamp(world.now()) } });
  } catch (error) {
    if (!isProblem(error, 'conflict')) throw error;
  }
}
