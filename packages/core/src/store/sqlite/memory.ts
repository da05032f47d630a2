import { DatabaseSync } from 'node:sqlite';

import type { Kind } from '../../kinds/index.ts';
import { limits } from '../../limits.ts';
import type { Telemetry } from '../../telemetry/index.ts';
import type { World } from '../../world/index.ts';
import type { Store } from '../store.ts';
import { SqliteEngine } from './engine.ts';
import { inlinePort } from './port.ts';
import { Reader } from './reader.ts';
import { migrate, registerKinds } from './schema.ts';

export interface MemoryStoreOptions {
  readonly world: World;
  readonly kinds: readonly Kind[];
  readonly telemetry?: Telemetry;
  /** How many changes are kept for watchers to resume from. */
  readonly history?: number;
  readonly bookmark_ms?: number;
}

/**
 * The engine without a disk or a second thread: what happens follows from what was asked alone. For tests and simulation.
 *
 * @example const store = openMemoryStore({ world: virtualWorld(seed), kinds: [Network] });
 */
export function openMemoryStore({ world, kinds, telemetry, history = limits.retainedChanges, bookmark_ms }: MemoryStoreOptions): Store {
  const database = new DatabaseSync(':memory:');
  migrate(database);
  const numbers = registerKinds(database, kinds);
  return new SqliteEngine({ world, telemetry, kinds, numbers, reader: new Reader(database), port: inlinePort(database, history), history, bookmark_ms });
}
