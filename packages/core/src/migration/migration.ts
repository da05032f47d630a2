import type { Store } from '../store/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import type { World } from '../world/index.ts';

export interface MigrationContext {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
}

/** Brings what an older version stored into the form that this version reads. */
export interface Migration {
  /** Unique, and never reused: `<service>-<what moves>`. */
  readonly name: string;
  /** Runs before any service starts. A crash may interrupt it, so it may run again on what it has half changed. */
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
    throw new Error(`"${migration.name}" is not a name for a migration: write it as service-what-moves`);
  return migration;
}
