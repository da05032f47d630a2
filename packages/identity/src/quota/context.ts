import type { Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';

import type { LedgerWriter } from './writer.ts';

/**
 * A change that is in progress for this long belongs to a process that died. It is twice the deadline of a request, and
 * a process starts no write after half of it, so clocks may differ by the other half.
 */
export const changeLease_ms = 60_000;

export interface LedgerOptions {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  /** Identifies this run of the process. */
  readonly processName: string;
}

/** Additional dependencies of the settlement of unfinished changes. */
export interface LedgerContext extends LedgerOptions {
  readonly writer: LedgerWriter;
}
