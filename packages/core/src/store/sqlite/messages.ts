import type { Failure } from './failure.ts';
import type { Packed } from './packing.ts';
import type { Retention } from './writer.ts';

export interface WorkerSettings {
  readonly path: string;
  readonly retention: Retention;
  readonly maxBytes: number | undefined;
}

export type Request =
  | { readonly type: 'batches'; readonly batches: Packed }
  | { readonly type: 'probe' }
  | { readonly type: 'tidy' }
  | { readonly type: 'close' };

/**
 * `committed` and `failed` answer the oldest unanswered batches, as many as they name; `probed` answers the oldest
 * probe.
 */
export type Reply =
  | { readonly type: 'ready' }
  | { readonly type: 'committed'; readonly versions: readonly (readonly number[])[] }
  | { readonly type: 'failed'; readonly batches: number; readonly failure: Failure }
  | { readonly type: 'probed'; readonly failure?: Failure }
  | { readonly type: 'closed' };
