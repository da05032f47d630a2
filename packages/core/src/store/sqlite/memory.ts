import { DatabaseSync } from 'node:sqlite';

import type { Kind } from '../../kinds/index.ts';
import type { Telemetry } from '../../telemetry/index.ts';
import type { World } from '../../world/index.ts';
import type { AdoptingStore } from '../adopting.ts';
import type { Store } from '../store.ts';
import { SqliteEngine } from './engine.ts';
import { inlinePort } from './port.ts';
import { Reader } from './reader.ts';
import { migrate, registerKinds } from './schema.ts';
import { usualRetention, type Retention } from './writer.ts';

export interface MemoryStoreOptions {
  readonly world: World;
  readonly kinds: readonly Kind[];
  readonly telemetry?: Telemetry;
  /** How many changes are kept for watchers that resume. */
  readonly history?: Partial<Retention>;
  readonly bookmark_ms?: number;
  readonly collectsGarbage?: boolean;
}

/**
 * The engine without a disk or a second thread, so that its behaviour is deterministic. For tests and simulation.
 *
 * @example const store = openMemoryStore({ world: virtualWorld(seed), kinds: [Network] });
 */
export function openMemoryStore(options: MemoryStoreOptions): Store & AdoptingStore {
  const { world, kinds, telemetry, history, bookmark_ms, collectsGarbage } = options;
  const database = new DatabaseSync(':memory:');
  migrate(database);
  const numbers = registerKinds(database, kinds);
  const retention = { ...usualRetention, ...history };
  return new SqliteEngine({
    world,
    telemetry,
    kinds,
    numbers,
    reader: new Reader(database),
    port: inlinePort(database, retention),
    retention,
    bookmark_ms,
    collectsGarbage,
  });
}
