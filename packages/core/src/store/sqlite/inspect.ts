import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

import { Problem, toError } from '../../errors/index.ts';
import { Query } from './query.ts';
import { applicationId, schemaVersion } from './schema.ts';

const headerBytes = 100;
const magic = 'SQLite format 3\0';

export function unusable(message: string, cause?: unknown): Problem {
  return new Problem('storage_unusable', message, cause === undefined ? {} : { cause: toError(cause) });
}

/** Throws unless files can be created and changed in the folder of the state. */
export function assertWritable(path: string): void {
  const directory = dirname(path);
  try {
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(
      `directory ${directory} is missing or cannot be written: create it or change its permissions`,
      error,
    );
  }
  if (!existsSync(path)) return;
  if (!statSync(path).isFile()) throw unusable(`${path} is not a file: choose another path`);
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw unusable(`${path} cannot be written: change its permissions`, error);
  }
}

/** Recognises our state files by their first bytes. Throws if the file is anything else. */
export function inspectState(path: string): 'none' | 'ours' {
  if (!existsSync(path) || statSync(path).size === 0) return 'none';
  const header = readHeader(path);
  if (header.toString('latin1', 0, magic.length) !== magic) throw notOurs(path);
  if (header.readUInt32BE(68) !== applicationId) throw notOurs(path);
  assertKnownVersion(path, header.readUInt32BE(60));
  if (!existsSync(`${path}-wal`) && statSync(path).size < header.readUInt32BE(28) * pageBytes(header)) {
    throw unusable(`${path} is damaged: it is too short. Restore a backup`);
  }
  return 'ours';
}

export function assertKnownVersion(path: string, version: number): void {
  if (version > schemaVersion)
    throw unusable(
      `${path} was written by a newer release (its schema is ${version}, this release supports up to ${schemaVersion}): use that release, or restore a backup`,
    );
}

/** Reads and checks every page and index of the file. */
export function assertIntact(path: string, database: DatabaseSync): void {
  const [result] = new Query<[string]>(database, 'PRAGMA integrity_check(1)').get() ?? [];
  if (result !== 'ok') throw unusable(`${path} is damaged: use another backup`, result);
}

function notOurs(path: string): Problem {
  return unusable(`${path} is not a Unikorn state, and was not changed: choose another path`);
}

function readHeader(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(headerBytes);
    readSync(file, header, 0, headerBytes, 0);
    return header;
  } finally {
    closeSync(file);
  }
}

/** 65,536 does not fit into two bytes, and is written as one. */
function pageBytes(header: Buffer): number {
  const bytes = header.readUInt16BE(16);
  return bytes === 1 ? 65_536 : bytes;
}
