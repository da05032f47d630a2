import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

import { defined } from '../../defined.ts';
import { toError } from '../../errors/index.ts';
import { waits } from '../../limits.ts';
import { damageIn } from './damage.ts';
import { isBusy } from './failure.ts';
import { recordedHead } from './head-record.ts';
import { inspectState } from './inspect.ts';
import { lossOf, lossText, type Loss } from './loss.ts';

export interface StateExamination {
  /** Whether a process has it open. */
  readonly inUse: boolean;
  /** The damage; undefined if the state is intact or does not exist. */
  readonly damage?: string;
  /** The acknowledged changes that are missing; undefined if there are none. */
  readonly loss?: string;
}

/** The condition of a state, whether or not a process uses it. Nothing is written to it. */
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

/** A reader creates log files if there are none. A reader that treats the file as immutable does not. */
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
 * Examines a state. Only `thorough` reads all of it. It does not write, because a connection with write access
 * checkpoints the log when it closes, and the evidence in the log would be lost. Throws if the file is not a state.
 */
export function surveyState(path: string, depth: 'thorough' | 'brief' = 'thorough'): Survey {
  if (inspectState(path) === 'none') return {};
  try {
    // Read first, so that a running server can only be ahead of it.
    const recorded = recordedHead(path);
    const database = new DatabaseSync(undisturbed(path), { readOnly: true, timeout: waits.examinationLock_ms });
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
