import { Problem } from '@unikorn/core/errors';

import type { PendingChange, QuotaLedger } from '../kinds/quota.ts';
import { amountOf, combine, split, used, type Amounts } from './amounts.ts';
import { isQuotaKind, quotaCatalogue } from './catalogue.ts';

/**
 * Changes in flight that one ledger holds; a few hundred bytes each, so that it stays far below the size of an object.
 */
const pendingChanges = 1_000;

type Status = NonNullable<QuotaLedger['status']>;

export function limitOf({ spec }: Pick<QuotaLedger, 'spec'>, kind: string): number {
  return spec.limits[kind] ?? (isQuotaKind(kind) ? quotaCatalogue[kind].default : 0);
}

/**
 * Refused when it takes more of a kind than there is. Taking less is always allowed, and so is what another kind lacks.
 */
function requireWithinLimits(ledger: QuotaLedger, totals: Amounts, growth: Amounts): void {
  for (const [kind, change] of Object.entries(growth))
    requireLimit(kind, used(amountOf(totals, kind)) + used(change), limitOf(ledger, kind));
}

export function requireLimit(kind: string, wanted: number, limit: number): void {
  if (wanted > limit)
    throw new Problem('quota_exceeded', `total ${kind} allocation of ${wanted} would exceed quota limit of ${limit}`);
}

/**
 * The books of one organization while they are being changed: any number of changes, then one status to store. What a
 * change adds is counted as soon as it begins, and what it gives back only when it has taken effect, so that the totals
 * are never less than the allocations they stand for, whatever becomes of the change.
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
   * Begins a change, before its allocation is written; fails with `quota_exceeded`. `occupied` when another change of
   * the same allocation is in flight: which of them took effect could not be told apart afterwards.
   */
  open(change: PendingChange): 'open' | 'occupied' {
    if (this.#occupied.has(change.allocationId) || this.#pending.size >= pendingChanges) return 'occupied';
    const { growth } = split(change.delta);
    requireWithinLimits(this.#ledger, this.#totals, growth);
    this.#totals = combine(this.#totals, growth, 1);
    this.#pending.set(change.token, change);
    this.#occupied.add(change.allocationId);
    this.#changed = true;
    return 'open';
  }

  /** Ends a change that took effect or did not; false when somebody else has ended it. */
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
