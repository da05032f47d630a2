import type { Telemetry } from '@unikorn/core/telemetry';

import type { QuotaLedger } from '../kinds/quota.ts';
import { limits } from '../limits.ts';
import { ledgerMetrics } from './metrics.ts';
import { quotasOf } from './standing.ts';

interface Usage {
  readonly organizationId: string;
  readonly kind: string;
  readonly used: number;
  readonly limit: number;
}

/** Quotas in use, those closest to their limit first. Only so many, because every one is a time series. */
export function closestToLimit(ledgers: Iterable<QuotaLedger>): readonly Usage[] {
  const usages = [...ledgers].flatMap((ledger) =>
    quotasOf(ledger)
      .filter(({ used }) => used > 0)
      .map(({ kind, used, quantity }) => ({ organizationId: ledger.metadata.name, kind, used, limit: quantity })),
  );
  return usages.toSorted((a, b) => share(b) - share(a)).slice(0, limits.measuredQuotas);
}

function share({ used, limit }: Usage): number {
  return used / Math.max(limit, 1);
}

export function measureUsage({ registry }: Pick<Telemetry, 'registry'>, usages: readonly Usage[]): void {
  const { used, limit } = ledgerMetrics(registry);
  // A quota that is no longer among them must not stay at its last value.
  for (const gauge of [used, limit]) gauge.reset();
  for (const usage of usages) {
    const labels = { organization_id: usage.organizationId, kind: usage.kind };
    used.set(labels, usage.used);
    limit.set(labels, usage.limit);
  }
}
