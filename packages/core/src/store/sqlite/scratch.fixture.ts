import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll } from 'vitest';

import { silentTelemetry } from '../../testing/index.ts';
import { systemWorld } from '../../world/index.ts';
import { kinds } from '../conformance/kinds.ts';
import { openSqliteStore, type SqliteStore, type SqliteStoreOptions } from './open.ts';

/** Paths of new files, in folders that are removed after the tests of a file. */
export function scratchPaths(): () => string {
  const root = mkdtempSync(join(tmpdir(), 'unikorn-store-'));
  let count = 0;
  afterAll(() => {
    rmSync(root, { recursive: true, force: true });
  });
  return () => join(root, String(count++), 'state.db');
}

export function openScratchStore(path: string, options: Partial<SqliteStoreOptions> = {}): Promise<SqliteStore> {
  return openSqliteStore({ path, world: systemWorld, telemetry: silentTelemetry(), kinds, ...options });
}
