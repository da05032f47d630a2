import type { DatabaseSync } from 'node:sqlite';

import type { Kind } from '../../kinds/index.ts';
import { Query } from './query.ts';

/** "Unik" in ASCII: distinguishes our files from other SQLite files. */
export const applicationId = 0x556e696b;

/** The version before the first change. It is not zero, because zero has a special meaning in Kubernetes. */
export const firstVersion = 1;

/** The version of the last commit, and the one before the oldest change that is still stored. */
export const headQuery = 'SELECT max(coalesce((SELECT max(version) FROM changes), 0), base) FROM progress';
export const floorQuery = 'SELECT max(coalesce((SELECT min(version) - 1 FROM changes), 0), base) FROM progress';

/** The length of one change, computed without reading it. */
export const loggedBytes = 'octet_length(data) + coalesce(octet_length(previous), 0)';

/**
 * Each entry upgrades a file from the version of its position to the next. Entries are only appended, never changed.
 *
 * - `labels` has a row for each object and indexed label; `position` is that of the label in the kind's declaration.
 * - `changes` is the history that watchers replay; `previous` is set if labels or owners changed.
 * - `progress` has the version up to which garbage collection is complete, the number of logged bytes, the time of the
 *   last commit, and the version after which numbering began: earlier versions may have named other changes.
 * - `digest` is the checksum of an object; objects of earlier releases have none.
 * - `probes` is empty, except while a probe tests whether a write succeeds.
 */
const migrations: readonly string[] = [
  `
  CREATE TABLE kinds (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, indexed TEXT NOT NULL) STRICT;
  CREATE TABLE objects (
    id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, data TEXT NOT NULL,
    UNIQUE (kind, name)
  ) STRICT;
  CREATE TABLE labels (
    kind INTEGER NOT NULL, position INTEGER NOT NULL, value TEXT NOT NULL, name TEXT NOT NULL,
    PRIMARY KEY (kind, position, value, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE owners (
    uid TEXT NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL, blocking INTEGER NOT NULL,
    PRIMARY KEY (uid, kind, name)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX owners_by_blocking ON owners (uid, blocking);
  CREATE TABLE changes (
    version INTEGER PRIMARY KEY, kind INTEGER NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL, previous TEXT
  ) STRICT;
  CREATE INDEX changes_by_kind ON changes (kind, version);
  CREATE TABLE progress (collected INTEGER NOT NULL) STRICT;
  INSERT INTO progress VALUES (1);
  `,
  `
  ALTER TABLE progress ADD COLUMN logged INTEGER NOT NULL DEFAULT 0;
  UPDATE progress SET logged = (SELECT coalesce(sum(${loggedBytes}), 0) FROM changes);
  `,
  `
  ALTER TABLE progress ADD COLUMN committed_ms INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE progress ADD COLUMN base INTEGER NOT NULL DEFAULT ${firstVersion};
  ALTER TABLE objects ADD COLUMN digest INTEGER;
  CREATE TABLE probes (content BLOB NOT NULL) STRICT;
  `,
];

export const schemaVersion = migrations.length;

/** Whether a state has this column. A state of an earlier release is examined before it is upgraded. */
export function hasColumn(database: DatabaseSync, table: 'objects' | 'progress', column: string): boolean {
  return (
    new Query<[number]>(database, 'SELECT 1 FROM pragma_table_info(?) WHERE name = ?').get(table, column) !== undefined
  );
}

export function userVersion(database: DatabaseSync): number {
  return new Query<[number]>(database, 'PRAGMA user_version').get()?.[0] ?? 0;
}

/** Upgrades a file of any earlier version to the current one, completely or not at all. */
export function migrate(database: DatabaseSync): void {
  const from = userVersion(database);
  if (from === schemaVersion) return;
  transaction(database, () => {
    for (const migration of migrations.slice(from)) database.exec(migration);
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`);
  });
}

export function transaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** The number of each kind in the tables. A kind whose indexed labels have changed is indexed again. */
export function registerKinds(database: DatabaseSync, kinds: readonly Kind[]): ReadonlyMap<string, number> {
  const known = new Query<[number: number, indexed: string]>(
    database,
    'SELECT number, indexed FROM kinds WHERE id = ?',
  );
  const insert = new Query<[number: number]>(
    database,
    'INSERT INTO kinds (id, indexed) VALUES (?, ?) RETURNING number',
  );
  return transaction(database, () => {
    const numbers = new Map<string, number>();
    for (const kind of kinds) {
      const wanted = JSON.stringify(kind.indexedLabels);
      const [number, indexed] = known.get(kind.id) ?? [insert.get(kind.id, wanted)?.[0] ?? 0, wanted];
      if (indexed !== wanted) reindex(database, number, kind.indexedLabels);
      numbers.set(kind.id, number);
    }
    return numbers;
  });
}

function reindex(database: DatabaseSync, kind: number, indexedLabels: readonly string[]): void {
  database.prepare('DELETE FROM labels WHERE kind = ?').run(kind);
  const fill = database.prepare(`
    INSERT INTO labels SELECT o.kind, ?, l.value, o.name FROM objects o, json_each(o.data, '$.metadata.labels') l WHERE o.kind = ? AND l.key = ?`);
  for (const [position, label] of indexedLabels.entries()) fill.run(position, kind, label);
  database.prepare('UPDATE kinds SET indexed = ? WHERE number = ?').run(JSON.stringify(indexedLabels), kind);
}
