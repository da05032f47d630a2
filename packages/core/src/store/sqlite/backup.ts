import { copyFileSync, existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';

import { isProblem, Problem } from '../../errors/index.ts';
import { waits } from '../../limits.ts';
import { headOf } from './damage.ts';
import { examineState, surveyState } from './examine.ts';
import { putInPlace, removeDatabase } from './files.ts';
import { recordedHead, type Head } from './head-record.ts';
import { assertIntact, assertKnownVersion, assertWritable, inspectState, unusable } from './inspect.ts';
import { lockState } from './lock.ts';
import { lossText, skipAhead } from './loss.ts';
import { migrate, userVersion } from './schema.ts';

/** All pages in one step: a copy in several steps would start again at every write in between. */
const everyPage = 0x7fff_ffff;

/**
 * Copies the state at one moment to a new file. The server can continue to write meanwhile.
 *
 * @example await backupFile('.unikorn/state.db', 'backup/state.db');
 */
export async function backupFile(source: string, target: string): Promise<void> {
  const [from, to] = [resolve(source), resolve(target)];
  if (inspectState(from) === 'none') throw unusable(`there is no state at ${from}: give the file that the server uses`);
  assertFree(to);
  assertWritable(to);
  assertComplete(from);
  const draft = `${to}.partial`;
  removeDatabase(draft);
  const database = new DatabaseSync(from, { readOnly: true, timeout: waits.backupLock_ms });
  try {
    await backup(database, draft, { rate: everyPage });
    assertWorthKeeping(from, draft);
    putInPlace(draft, to);
  } catch (error) {
    throw isProblem(error)
      ? error
      : new Problem(
          'storage_unavailable',
          `the backup to ${to} failed: check the free disk space and the permissions`,
          {
            cause: error,
          },
        );
  } finally {
    database.close();
    removeDatabase(draft);
  }
}

/** A backup of an incomplete state would look like a complete one. */
function assertComplete(source: string): void {
  const { damage, loss } = surveyState(source, 'brief');
  if (damage !== undefined) throw unusable(`${damage}; no backup was made: restore an earlier backup`);
  if (loss)
    throw unusable(
      `${lossText(source, loss)}; no backup was made: restore an earlier backup, or start the server with --accept-loss first`,
    );
}

/** A damaged state would be copied with its damage, and the copy could replace good backups. */
function assertWorthKeeping(source: string, copy: string): void {
  const { damage } = examineState(copy);
  if (damage !== undefined)
    throw unusable(`${source} is damaged, and no backup was made: restore an earlier backup`, damage);
}

interface RestoreOptions {
  /** Allows an existing state to be replaced; its contents are lost. */
  readonly replace?: boolean;
}

/**
 * Restores a backup to a state. If it fails, the target is not changed.
 *
 * @example restoreFile('backup/state.db', '.unikorn/state.db', { replace: true });
 */
export function restoreFile(source: string, target: string, { replace = false }: RestoreOptions = {}): void {
  const [from, to] = [resolve(source), resolve(target)];
  if (inspectState(from) === 'none') throw unusable(`there is no backup at ${from}: give the file of the backup`);
  if (!replace) assertFree(to);
  assertWritable(to);
  const unlock = lockState(to);
  const draft = `${to}.restoring`;
  try {
    removeDatabase(draft);
    copyFileSync(from, draft);
    assertRestorable(from, draft);
    goOnAfter(recordedHead(to), draft);
    settleLog(to);
    putInPlace(draft, to);
  } catch (error) {
    throw isProblem(error) ? error : unusable(`${from} cannot be restored to ${to}, which was not changed`, error);
  } finally {
    removeDatabase(draft);
    unlock();
  }
}

function assertFree(path: string): void {
  if (existsSync(path))
    throw new Problem('conflict', `${path} already exists: choose another path, or remove it first`);
}

/** Checked in the copy, because SQLite writes files next to the database that it reads. */
function assertRestorable(source: string, copy: string): void {
  const database = new DatabaseSync(copy);
  try {
    assertKnownVersion(source, userVersion(database));
    assertIntact(source, database);
  } catch (error) {
    throw isProblem(error) ? error : unusable(`${source} is damaged: use another backup`, error);
  } finally {
    database.close();
  }
}

/** The changes of the replaced state are lost on purpose, but its version numbers must not be used again. */
function goOnAfter(replaced: Head | undefined, draft: string): void {
  if (!replaced) return;
  const database = new DatabaseSync(draft);
  try {
    migrate(database);
    if (replaced.version > headOf(database)) skipAhead(database, replaced.version);
  } finally {
    database.close();
  }
}

/**
 * SQLite must not apply the log of the replaced state to the new one. The old state is completed without its log first.
 */
function settleLog(path: string): void {
  if (!existsSync(`${path}-wal`)) return;
  try {
    new DatabaseSync(path).close();
  } catch {
    // It is too damaged to be opened: nothing in its log can be saved.
  }
  for (const suffix of ['-wal', '-shm']) removeDatabase(`${path}${suffix}`);
}
