import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { isProblem } from '../../errors/index.ts';
import type { Kind } from '../../kinds/index.ts';
import type { Telemetry } from '../../telemetry/index.ts';
import type { World } from '../../world/index.ts';
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

/** For the rare moment in which another connection tidies up the log. */
const patience_ms = 1_000;

/**
 * Enough to hold the upper levels of the indexes of a million objects: a look-up then costs about the same however many
 * there are.
 */
const readCache_kib = 24 * 1024;

export interface SqliteStoreOptions {
  readonly path: string;
  readonly world: World;
  readonly telemetry: Telemetry;
  readonly kinds: readonly Kind[];
  /** How much is kept for watchers to resume from. */
  readonly history?: Partial<Retention>;
  /** The size the database may grow to; beyond it a write answers `storage_full`. */
  readonly maxBytes?: number;
  readonly bookmark_ms?: number;
  /** Opens a state from which acknowledged changes are missing. They stay lost. */
  readonly acceptLoss?: boolean;
  /** A state up to this size is examined before it is opened, a larger one while it is in use. */
  readonly promptExamination_bytes?: number;
}

export interface SqliteStore extends Store {
  /** Copies the state, as it is at one moment, to a file that must not exist yet; writing goes on meanwhile. */
  backup(path: string): Promise<void>;
}

/**
 * Opens a state, or creates it where there is none. Fails with `storage_unusable`, and changes nothing, when it is in
 * use, read-only, not ours, damaged, of a newer release, or lacks changes that were acknowledged.
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

/** Brings the file to the present schema and set of kinds; the number of each kind in it. */
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

/**
 * Files of earlier releases could not give back what they no longer use. That they can is decided by writing them anew,
 * once.
 */
function makeShrinkable(database: DatabaseSync): void {
  if (new Query<[number]>(database, 'PRAGMA auto_vacuum').get()?.[0] !== 0) return;
  try {
    database.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM');
  } catch (error) {
    // Without room for a second copy it stays as it is: what is unused is then only used again.
    if (!isFull(error)) throw error;
  }
}

/** Made under another name first, so that a state that exists is a whole one. */
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
  /** Whether all of the state was read and found whole. */
  readonly examined: boolean;
}

async function startEngine(
  path: string,
  options: SqliteStoreOptions,
  numbers: ReadonlyMap<string, number>,
  { unlock, examined }: Opened,
): Promise<SqliteStore> {
  const { world, telemetry, kinds, history, maxBytes, bookmark_ms } = options;
  const retention = { ...usualRetention, ...history };
  const port = await WorkerPort.connect(startWriter({ path, retention, maxBytes }), world);
  const connection = new DatabaseSync(path, { readOnly: true, timeout: patience_ms });
  connection.exec(`PRAGMA cache_size = -${readCache_kib}`);
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
