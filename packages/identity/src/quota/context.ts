import type { Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';

import type { LedgerWriter } from './writer.ts';

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
