import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

import { defined } from '../../defined.ts';
import { toError } from '../../errors/index.ts';
import { damageIn } from './damage.ts';
import { isBusy } from './failure.ts';
import { recordedHead } from './head-record.ts';
import { inspectState } from './inspect.ts';
import { lossOf, lossText, type Loss } from './loss.ts';

/** For the rare moment in which the server tidies up its log. */
const patience_ms = 5_000;

export interface StateExamination {
  /** Whether a process has it open. */
  readonly inUse: boolean;
  /** The damage; undefined if the state is intact or does not exist. */
  readonly damage?: string;
  /** The acknowledged changes that are missing; undefined if there are none. */
  readonly loss?: string;
}

/** How a state is, whether or not a process uses it. Nothing is written to it. */
export function examineState(path: string): StateExamination {
  const { damage, loss } = surveyed(path);
  return {
    inUse: isLocked(path),
    ...defined({ damage }),
    ...(loss === undefined ? {} : { loss: lossText(path, loss) }),
  };
}

function surveyed(path: string): Survey {
  try {
    return surveyState(path);
  } catch (error) {
    return { damage: toError(error).message };
  }
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

export interface Survey {
  readonly damage?: string;
  readonly loss?: Loss;
}

/**
 * Examines a state. Only `thorough` reads all of it. It does not write: a connection that may write empties
 * the log when it is closed, and what could be seen from it is then gone. Fails when there is something else than a
 * state.
 */
export function surveyState(path: string, depth: 'thorough' | 'brief' = 'thorough'): Survey {
  if (inspectState(path) === 'none') return {};
  try {
    // Looked at first: a server that goes on meanwhile is then ahead of it.
    const recorded = recordedHead(path);
    const database = new DatabaseSync(undisturbed(path), { readOnly: true, timeout: patience_ms });
    try {
      const found = depth === 'thorough' ? damageIn(database) : undefined;
      if (found !== undefined) return { damage: `${path} is damaged: ${found}` };
      const loss = lossOf(database, recorded);
      return loss ? { loss } : {};
    } finally {
      database.close();
    }
  } catch (error) {
    return { damage: `${path} is damaged: ${toError(error).message}` };
  }
}
