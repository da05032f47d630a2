import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { isProblem } from '../../errors/index.ts';
import type { Kind } from '../../kinds/index.ts';
import { internalLimits, waits } from '../../limits.ts';
import type { Telemetry } from '../../telemetry/index.ts';
import type { World } from '../../world/index.ts';
import type { AdoptingStore } from '../adopting.ts';
import type { Store } from '../store.ts';
import { backupFile } from './backup.ts';
import { SqliteEngine } from './engine.ts';
import { examineBeside } from './examination.ts';
import { isFull, restoreBackup } from './failure.ts';
import { putInPlace, removeDatabase } from './files.ts';
import { assertKnownVersion, assertWritable, inspectState, unusable } from './inspect.ts';
import { lockState } from './lock.ts';
import { skipAhead } from './loss.ts';
import { Query } from './query.ts';
import { Reader } from './reader.ts';
import { migrate, registerKinds, userVersion } from './schema.ts';
import { assertSound, damaged } from './soundness.ts';
import { startWriter, WorkerPort } from './worker-port.ts';
import { usualRetention, type Retention } from './writer.ts';

export interface SqliteStoreOptions {
  readonly path: string;
  readonly world: World;
  readonly telemetry: Telemetry;
  readonly kinds: readonly Kind[];
  /** How many changes are kept for watchers that resume. */
  readonly history?: Partial<Retention>;
  /** Maximum size of the database. A write beyond it fails with `storage_full`. */
  readonly maxBytes?: number;
  readonly bookmark_ms?: number;
  /** Opens a state from which acknowledged changes are missing. They stay lost. */
  readonly acceptLoss?: boolean;
  /** Whether it deletes the objects whose owners are deleted. A tool that moves objects turns it off. */
  readonly collectsGarbage?: boolean;
  /** A state up to this size is checked before it is opened, a larger one while it is in use. */
  readonly promptExamination_bytes?: number;
}

export interface SqliteStore extends Store, AdoptingStore {
  /** Copies the state at one moment to a file that must not exist yet. Writes continue meanwhile. */
  backup(path: string): Promise<void>;
}

/**
 * Opens a state, or creates it if there is none. Throws `storage_unusable`, and changes nothing, when the state is in
 * use, read-only, not ours, damaged, of a newer release, or lacks acknowledged changes.
 *
 * @example const store = await openSqliteStore({ path: '.unikorn/state.db', world: systemWorld, telemetry, kinds });
 */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const path = resolve(options.path);
  const unlock = secureState(path);
  try {
    const { loss, examined } = assertSound(path, options);
    const numbers = prepareState(path, options.kinds, loss?.head);
    return await startEngine(path, options, numbers, { unlock, examined });
  } catch (error) {
    unlock();
    throw isProblem(error) ? error : unusable(`${path} cannot be opened and may be damaged: ${restoreBackup}`, error);
  }
}

function secureState(path: string): () => void {
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw unusable(`directory ${dirname(path)} cannot be created: create it or choose another path`, error);
  }
  assertWritable(path);
  return lockState(path);
}

/** Upgrades the file to the current schema and set of kinds. Returns the number of each kind in it. */
function prepareState(path: string, kinds: readonly Kind[], lost: number | undefined): ReadonlyMap<string, number> {
  if (inspectState(path) === 'none') createState(path);
  const database = new DatabaseSync(path);
  try {
    assertKnownVersion(path, userVersion(database));
    migrate(database);
    if (lost !== undefined) skipAhead(database, lost);
    makeShrinkable(database);
    return registerKinds(database, kinds);
  } finally {
    database.close();
  }
}

/** Files of earlier releases could not shrink. They can after they are rewritten once. */
function makeShrinkable(database: DatabaseSync): void {
  if (new Query<[number]>(database, 'PRAGMA auto_vacuum').get()?.[0] !== 0) return;
  try {
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM');
  } catch (error) {
    // Without space for a second copy the file stays as it is, and its unused pages are only reused.
    if (!isFull(error)) throw error;
  }
}

/** Created under another name first, so that an existing state is always complete. */
function createState(path: string): void {
  const draft = `${path}.new`;
  removeDatabase(draft);
  removeDatabase(path);
  const database = new DatabaseSync(draft);
  try {
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL');
    migrate(database);
  } finally {
    database.close();
  }
  putInPlace(draft, path);
}

interface Opened {
  readonly unlock: () => void;
  /** Whether the whole state was read and is intact. */
  readonly examined: boolean;
}

async function startEngine(
  path: string,
  options: SqliteStoreOptions,
  numbers: ReadonlyMap<string, number>,
  { unlock, examined }: Opened,
): Promise<SqliteStore> {
  const { world, telemetry, kinds, history, maxBytes, bookmark_ms, collectsGarbage } = options;
  const retention = { ...usualRetention, ...history };
  const port = await WorkerPort.connect(startWriter({ path, retention, maxBytes }), world);
  const connection = new DatabaseSync(path, { readOnly: true, timeout: waits.lockedStore_ms });
  connection.exec(`PRAGMA cache_size = -${internalLimits.readCache_kib}`);
  const reader = new Reader(connection);
  const examination = examined ? undefined : examineBeside(path);
  const engine = new SqliteEngine({
    world,
    telemetry,
    kinds,
    numbers,
    reader,
    port,
    retention,
    bookmark_ms,
    collectsGarbage,
    beforeClosing: examination?.giveUp,
    release: unlock,
  });
  void examination?.damage.then((found) => {
    if (found === undefined) return;
    const problem = damaged(found);
    telemetry.log.error(problem.message);
    engine.condemn(problem);
  });
  return Object.assign(engine, { backup: (target: string) => backupFile(path, target) });
}
