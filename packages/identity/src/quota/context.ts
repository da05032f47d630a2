import type { Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';

import type { LedgerWriter } from './writer.ts';

/**
 * A change in flight for this long was left by a process that died. Twice the deadline of a request, and its own
 * process begins no write after half of it: clocks may differ by the other half.
 */
export const changeLease_ms = 60_000;

export interface LedgerOptions {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  /** Names this life of the process. */
  readonly processName: string;
}

/** What the settlement of unfinished changes works with as well. */
export interface LedgerContext extends LedgerOptions {
  readonly writer: LedgerWriter;
}
