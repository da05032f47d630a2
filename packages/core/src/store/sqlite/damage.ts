import type { DatabaseSync } from 'node:sqlite';

import { toError } from '../../errors/index.ts';
import { digestOf } from './digest.ts';
import { Query } from './query.ts';
import { firstVersion, hasColumn, headQuery } from './schema.ts';

/**
 * Reads the whole state and returns its first defect; undefined if it is intact. It takes about a millisecond per
 * megabyte.
 */
export function damageIn(database: DatabaseSync): string | undefined {
  try {
    const [found = 'it cannot be read'] = new Query<[string]>(database, 'PRAGMA quick_check(1)').get() ?? [];
    return found === 'ok' ? damagedObject(database) : inOneLine(found);
  } catch (error) {
    return toError(error).message;
  }
}

/** The check above verifies the structure of the pages, and not their contents. */
function damagedObject(database: DatabaseSync): string | undefined {
  if (!hasColumn(database, 'objects', 'digest')) return undefined;
  const head = headOf(database);
  const objects = new Query<[kind: string, name: string, version: number, data: string, digest: number | null]>(
    database,
    'SELECT coalesce(k.id, o.kind), o.name, o.version, o.data, o.digest FROM objects o LEFT JOIN kinds k ON k.number = o.kind',
  );
  for (const [kind, name, version, data, digest] of objects.each()) {
    if (digest !== null && digestOf(data) !== digest) return `${name} of ${kind} does not match its checksum`;
    if (version > head) return `${name} of ${kind} is newer than the last change`;
  }
  return undefined;
}

/** The version of the last change. */
export function headOf(database: DatabaseSync): number {
  const query = hasColumn(database, 'progress', 'base') ? headQuery : 'SELECT max(version) FROM changes';
  return new Query<[number | null]>(database, query).get()?.[0] ?? firstVersion;
}

function inOneLine(found: string): string {
  return found
    .replace(/^\*\*\* in database main \*\*\*/, '')
    .replace(/\s+/g, ' ')
    .trim();
}
