import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

import { isProblem, toError } from '../../errors/index.ts';
import { isBusy } from './failure.ts';
import { inspectState } from './inspect.ts';
import { Query } from './query.ts';

/** For the rare moment in which the server tidies up its log. */
const patience_ms = 5_000;

export interface StateExamination {
  /** Whether a process has it open. */
  readonly inUse: boolean;
  /** What is wrong with it; nothing for one that is whole, or was never made. */
  readonly damage?: string;
}

/** How a state is, whether or not a process uses it. Nothing is written to it. */
export function examineState(path: string): StateExamination {
  const damage = damageOf(path);
  return { inUse: isLocked(path), ...(damage === undefined ? {} : { damage }) };
}

function isLocked(path: string): boolean {
  if (!existsSync(`${path}.lock`)) return false;
  const lock = new DatabaseSync(`${path}.lock`, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    lock.close();
  }
}

/** A reader makes files for a log where there is none; one that takes the state for unchanging does not. */
function undisturbed(path: string): URL {
  const location = pathToFileURL(path);
  if (!existsSync(`${path}-wal`)) location.searchParams.set('immutable', '1');
  return location;
}

function damageOf(path: string): string | undefined {
  try {
    if (inspectState(path) === 'none') return undefined;
    const database = new DatabaseSync(undisturbed(path), { readOnly: true, timeout: patience_ms });
    try {
      const [found] = new Query<[string]>(database, 'PRAGMA quick_check(1)').get() ?? [];
      return found === 'ok' ? undefined : `${path} is damaged: ${found ?? 'it cannot be read'}`;
    } finally {
      database.close();
    }
  } catch (error) {
    return isProblem(error) ? error.message : `${path} is damaged: ${toError(error).message}`;
  }
}
