import { Problem } from '../../errors/index.ts';

/** SQLite's primary result codes that are handled separately. */
const busy = 5;
const full = 13;
const corrupt = 11;
const notADatabase = 26;

function resultCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : undefined;
}

export function isBusy(error: unknown): boolean {
  return resultCode(error) === busy;
}

export function isFull(error: unknown): boolean {
  return resultCode(error) === full;
}

/** Why a commit failed, in a form that can be sent between threads. */
export interface Failure {
  readonly code: 'storage_full' | 'storage_unavailable' | 'storage_unusable';
  readonly detail: string;
}

export function failureOf(error: unknown): Failure {
  return { code: codeOf(error), detail: error instanceof Error ? error.message : String(error) };
}

function codeOf(error: unknown): Failure['code'] {
  switch (resultCode(error)) {
    case full:
      return 'storage_full';
    case corrupt:
    case notADatabase:
      return 'storage_unusable';
    case undefined:
    default:
      return 'storage_unavailable';
  }
}

/** The remedy for a damaged state. A restart does not help. */
export const restoreBackup = 'stop the server and restore a backup: unikorn restore <folder> --replace';

export function problemOf({ code, detail }: Failure): Problem {
  const cause = new Error(detail);
  switch (code) {
    case 'storage_full':
      return new Problem(code, 'the disk is full: free disk space, or raise the size limit', { cause });
    case 'storage_unusable':
      return new Problem(code, `the state is damaged: ${restoreBackup}`, { cause });
    case 'storage_unavailable':
      return new Problem(code, 'the store cannot be read or written at the moment', { cause });
  }
}

/** The error of operations that are called, or still in progress, after the store was closed. */
export function closedProblem(): Problem {
  return new Problem('storage_unavailable', 'the store is closed');
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_STATE';
}

/** Runs work and converts errors of SQLite to problems. */
export async function reading<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw readable(error);
  }
}

/** Converts an error of SQLite to a problem. Other errors stay as they are. */
export function readable(error: unknown): unknown {
  if (isClosed(error)) return closedProblem();
  return resultCode(error) === undefined ? error : problemOf(failureOf(error));
}
