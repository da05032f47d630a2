import type { DatabaseSync } from 'node:sqlite';

import { defined } from '../../defined.ts';
import { timestamp } from '../../world/index.ts';
import { headOf } from './damage.ts';
import type { Head } from './head-record.ts';
import { Query } from './query.ts';
import { hasColumn } from './schema.ts';

/** Acknowledged changes that are missing in a state. */
export interface Loss {
  /** The last version that was acknowledged. */
  readonly head: number;
  readonly changes: number;
  /** The time of the last change that still exists, if it is known. */
  readonly since?: string;
  /** The time of the last lost change. */
  readonly until: string;
}

/** The acknowledged changes that are missing from a state. */
export function lossOf(database: DatabaseSync, recorded: Head | undefined): Loss | undefined {
  const head = headOf(database);
  if (!recorded || recorded.version <= head) return undefined;
  const since = committedTime(database);
  return {
    head: recorded.version,
    changes: recorded.version - head,
    ...defined({ since }),
    until: recorded.time,
  };
}

export function lossText(path: string, { changes, since, until }: Loss): string {
  const many = changes === 1 ? 'the last acknowledged change is' : `the last ${changes} acknowledged changes are`;
  return `${many} missing from ${path}, ${since === undefined ? '' : `made after ${since} and `}up to ${until}: its log is damaged, or belongs to another state`;
}

function committedTime(database: DatabaseSync): string | undefined {
  if (!hasColumn(database, 'progress', 'committed_ms')) return undefined;
  const [committed_ms = 0] = new Query<[number]>(database, 'SELECT committed_ms FROM progress').get() ?? [];
  return committed_ms === 0 ? undefined : timestamp(committed_ms);
}

/**
 * Continues numbering after this version, which was used before the state was replaced by an earlier one. Otherwise a
 * version would name two different changes, and a watcher that has seen the first would not be told to list again.
 */
export function skipAhead(database: DatabaseSync, version: number): void {
  database.prepare('UPDATE progress SET base = max(base, ?)').run(version + 1);
}
