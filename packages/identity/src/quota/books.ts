import { Problem } from '@unikorn/core/errors';

import type { PendingChange, QuotaLedger } from '../kinds/quota.ts';
import { limits } from '../limits.ts';
import { amountOf, combine, split, used, type Amounts } from './amounts.ts';
import { isQuotaKind, quotaCatalogue } from './catalogue.ts';

type Status = NonNullable<QuotaLedger['status']>;

export function limitOf({ spec }: Pick<QuotaLedger, 'spec'>, kind: string): number {
  return spec.limits[kind] ?? (isQuotaKind(kind) ? quotaCatalogue[kind].default : 0);
}

/**
 * Refused if it takes more of a kind than is free. A decrease is always allowed, even if another kind is over its
 * limit.
 */
function requireWithinLimits(ledger: QuotaLedger, totals: Amounts, growth: Amounts): void {
  for (const [kind, change] of Object.entries(growth)) {
    const wanted = used(amountOf(totals, kind)) + used(change);
    const limit = limitOf(ledger, kind);
    if (wanted > limit)
      throw new Problem('quota_exceeded', `total ${kind} allocation of ${wanted} would exceed quota limit of ${limit}`);
  }
}

/**
 * The ledger of one organization during a write: any number of changes, then one new status. Amounts that a change adds
 * are counted when it begins, and amounts that it releases only after it took effect. So the totals are never less than
 * the sum of the allocations, whatever happens to the change.
 */
export class Books {
  readonly #ledger: QuotaLedger;
  readonly #pending: Map<string, PendingChange>;
  readonly #occupied: Set<string>;
  #totals: Amounts;
  #changed = false;

  constructor(ledger: QuotaLedger) {
    this.#ledger = ledger;
    const pending = ledger.status?.pending ?? [];
    this.#totals = ledger.status?.totals ?? {};
    this.#pending = new Map(pending.map((change) => [change.token, change]));
    this.#occupied = new Set(pending.map(({ allocationId }) => allocationId));
  }

  /**
   * Begins a change before its allocation is written; fails with `quota_exceeded`. `occupied` if another change of the
   * same allocation is in progress: afterwards it would not be known which of them took effect.
   */
  open(change: PendingChange): 'open' | 'occupied' {
    if (this.#occupied.has(change.allocationId) || this.#pending.size >= limits.pendingQuotaChanges) return 'occupied';
    const { growth } = split(change.delta);
    requireWithinLimits(this.#ledger, this.#totals, growth);
    this.#totals = combine(this.#totals, growth, 1);
    this.#pending.set(change.token, change);
    this.#occupied.add(change.allocationId);
    this.#changed = true;
    return 'open';
  }

  /** Ends a change, whether it took effect or not; false if another process has ended it. */
  close(token: string, verdict: 'kept' | 'reverted'): boolean {
    const change = this.#pending.get(token);
    if (!change) return false;
    this.#pending.delete(token);
    this.#occupied.delete(change.allocationId);
    const { growth, shrinkage } = split(change.delta);
    this.#totals = verdict === 'kept' ? combine(this.#totals, shrinkage, 1) : combine(this.#totals, growth, -1);
    this.#changed = true;
    return true;
  }

  /** The new status; undefined if nothing has changed. */
  get status(): Status | undefined {
    return this.#changed ? { totals: this.#totals, pending: [...this.#pending.values()] } : undefined;
  }
}
