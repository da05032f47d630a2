import { isDeepStrictEqual } from 'node:util';

import { isProblem } from '@unikorn/core/errors';
import { labels } from '@unikorn/core/resource';
import { matching, type ReadOptions, type Store } from '@unikorn/core/store';

import { Allocation, changeAnnotation, QuotaLedger, type PendingChange } from '../kinds/quota.ts';
import { waits } from '../limits.ts';
import { marked } from './allocation.ts';
import { combine, toAmounts, type Amounts } from './amounts.ts';
import { type LedgerContext } from './context.ts';
import { ledgerMetrics } from './metrics.ts';

/** Ends abandoned changes. */
export async function settle(
  context: LedgerContext,
  organizationId: string,
): Promise<{ readonly ended: number; readonly inFlight: readonly PendingChange[] }> {
  const ledger = await context.store.get(QuotaLedger, organizationId);
  const pending = ledger?.status?.pending ?? [];
  const abandoned = pending.filter((change) => isAbandoned(context, change));
  for (const change of abandoned) await end(context, organizationId, change);
  return { ended: abandoned.length, inFlight: pending.filter((change) => !abandoned.includes(change)) };
}

/**
 * Whether the process of the change has ended: the lease is over, or this process owns the state exclusively and the
 * change is from another process.
 */
function isAbandoned({ store, world, processName }: LedgerContext, { holder, since }: PendingChange): boolean {
  return world.now() - since >= waits.quotaChange_ms || (store.sole && holder !== processName);
}

async function end(
  { store, world, writer, telemetry }: LedgerContext,
  organizationId: string,
  change: PendingChange,
): Promise<void> {
  const verdict = await verdictOn(store, change, () => world.uuid());
  const ended = await writer.apply(organizationId, (books) => books.close(change.token, verdict));
  if (ended) ledgerMetrics(telemetry.registry).settled.inc({ verdict });
}

/**
 * Whether a change took effect. If not, it is prevented from taking effect later: if its process still lives, its
 * version of the allocation is no longer the stored one.
 */
async function verdictOn(store: Store, change: PendingChange, newToken: () => string): Promise<'kept' | 'reverted'> {
  while (true) {
    const allocation = await store.get(Allocation, change.allocationId);
    if (tookEffect(change, allocation)) return 'kept';
    if (!allocation) return 'reverted';
    try {
      await store.update(Allocation, marked(allocation, newToken()));
      return 'reverted';
    } catch (error) {
      if (!isProblem(error, 'conflict') && !isProblem(error, 'not_found')) throw error;
    }
  }
}

function tookEffect({ type, token }: PendingChange, allocation: Allocation | undefined): boolean {
  switch (type) {
    case 'charge':
      return allocation?.metadata.annotations?.[changeAnnotation] === token;
    case 'release':
      return allocation === undefined;
  }
}

/**
 * The maximum number of attempts to count while nothing changes. An organization with more frequent charges is counted
 * another time.
 */
const counts = 3;

/**
 * Sets the totals to the sum of the allocations. Every change of an allocation writes the ledger before and after. So
 * if the ledger has no changes in progress and stays the same, no allocation has changed.
 */
export async function recount({ store, telemetry }: LedgerContext, organizationId: string): Promise<void> {
  for (let attempt = 0; attempt < counts; attempt++) {
    // The copies in this process may miss a change, so a difference counts only if the store itself has it.
    const copied = store.sole ? undefined : await store.get(QuotaLedger, organizationId, { cached: true });
    if (copied?.status?.pending?.length) return;
    if (copied && isDeepStrictEqual(await sumOf(store, organizationId, { cached: true }), totalsOf(copied))) return;
    const ledger = await store.get(QuotaLedger, organizationId);
    if (!ledger || ledger.status?.pending?.length) return;
    const known = totalsOf(ledger);
    const totals = await sumOf(store, organizationId);
    if (isDeepStrictEqual(totals, known)) return;
    const { name, resourceVersion } = ledger.metadata;
    try {
      await store.updateStatus(QuotaLedger, {
        metadata: { name, resourceVersion },
        status: { ...ledger.status, totals },
      });
      ledgerMetrics(telemetry.registry).drift.inc();
      telemetry.log.error(
        { organizationId, totals, before: ledger.status?.totals },
        'the totals of a quota ledger did not match its allocations, and were corrected',
      );
      return;
    } catch (error) {
      if (!isProblem(error, 'conflict') && !isProblem(error, 'not_found')) throw error;
    }
  }
}

function totalsOf({ status }: QuotaLedger): Amounts {
  return combine({}, status?.totals ?? {}, 1);
}

async function sumOf(store: Store, organizationId: string, options: ReadOptions = {}): Promise<Amounts> {
  const selector = matching({ [labels.organization]: organizationId });
  const { items } = await store.list(Allocation, { selector, ...options });
  return items.reduce<Amounts>((sum, { spec }) => combine(sum, toAmounts(spec.allocations), 1), {});
}
