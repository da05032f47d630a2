import type { Store } from '../store/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import type { World } from '../world/index.ts';

export interface MigrationContext {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
}

/** Converts data of an older version to the form that this version reads. */
export interface Migration {
  /** Unique and never reused: `<service>-<change>`. */
  readonly name: string;
  /**
   * Runs before any service starts. A crash may interrupt it, and replicas that start together run it at the same time.
   * So it must be able to run again on partly changed data, and change objects with compare-and-swap.
   */
  run(context: MigrationContext): Promise<void>;
}

/**
 * Declares a migration.
 *
 * @example
 * defineMigration({
 *   name: 'parking-plates-in-capitals',
 *   run: async ({ store }) => {
 *     for await (const { metadata } of objectsOf(store, Permit)) await modify(store, Permit, metadata.name, inCapitals);
 *   },
 * });
 */
export function defineMigration(migration: Migration): Migration {
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(migration.name))
    throw new Error(
      `"${migration.name}" is not a valid migration name: use <service>-<change>, such as parking-plates-in-capitals`,
    );
  return migration;
}
