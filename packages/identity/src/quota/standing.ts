import { Problem } from '@unikorn/core/errors';
import { modify, type Store } from '@unikorn/core/store';

import { digestOf } from '../digest.ts';
import { Organization } from '../kinds/organization.ts';
import { QuotaLedger } from '../kinds/quota.ts';
import { amountOf, used, type Amount } from './amounts.ts';
import { limitOf } from './books.ts';
import { quantityText, quotaCatalogue, quotaKinds, type QuotaKind } from './catalogue.ts';
import { readOrCreate } from './writer.ts';

/** The limit and the usage of an organization for one kind. */
export interface Quota extends Amount {
  readonly kind: QuotaKind;
  readonly quantity: number;
  readonly used: number;
  /** Negative if the limit was lowered below the usage, by a request or in the catalogue. */
  readonly free: number;
  readonly displayName: string;
  readonly description: string;
  readonly default: number;
  readonly format: 'decimal' | 'binary';
}

/** An organization without usage has no ledger, and all of its quota is free. */
export async function readQuotas(store: Store, organizationId: string): Promise<readonly Quota[]> {
  const ledger = await store.get(QuotaLedger, organizationId);
  if (!ledger && !(await store.get(Organization, organizationId)))
    throw new Problem('not_found', `organization ${organizationId} does not exist`);
  return quotasOf(ledger ?? { spec: { limits: {} } });
}

export function quotasOf(ledger: Pick<QuotaLedger, 'spec' | 'status'>): readonly Quota[] {
  return quotaKinds.map((kind) => {
    const { displayName, description, default: standard, format } = quotaCatalogue[kind];
    const { committed, reserved } = amountOf(ledger.status?.totals ?? {}, kind);
    const quantity = limitOf(ledger, kind);
    const inUse = used({ committed, reserved });
    return {
      kind,
      quantity,
      used: inUse,
      free: quantity - inUse,
      committed,
      reserved,
      displayName,
      description,
      default: standard,
      format,
    };
  });
}

/** The version of the limits. Usage does not change it, so that a busy organization can be changed. */
export function limitsVersion(quotas: readonly Quota[]): string {
  return digestOf(JSON.stringify(quotas.map(({ kind, quantity }) => [kind, quantity]))).slice(0, 16);
}

/**
 * Sets the given limits and leaves the others unchanged. A lowered limit must still cover the current usage; the
 * version of the ledger ensures that nothing was charged in between. `admit` throws if the present limits must not be
 * changed.
 */
export async function setLimits(
  store: Store,
  organizationId: string,
  wanted: Readonly<Partial<Record<string, number>>>,
  admit?: (current: readonly Quota[]) => void,
): Promise<readonly Quota[]> {
  await readOrCreate(store, organizationId);
  const ledger = await modify(store, QuotaLedger, organizationId, (current) => {
    admit?.(quotasOf(current));
    const limits = { ...current.spec.limits };
    for (const [kind, limit] of Object.entries(wanted)) {
      if (limit === undefined) continue;
      if (limit < limitOf(current, kind)) requireCovers(kind, limit, amountOf(current.status?.totals ?? {}, kind));
      limits[kind] = limit;
    }
    return { ...current, spec: { limits } };
  });
  return quotasOf(ledger);
}

function requireCovers(kind: string, limit: number, amount: Amount): void {
  if (limit >= used(amount)) return;
  const text = (quantity: number) => quantityText(kind, quantity);
  throw new Problem(
    'quota_exceeded',
    `the limit of ${kind} cannot be ${text(limit)}: it must cover what is taken (used: ${text(amount.committed)}, reserved: ${text(amount.reserved)}). Set it to ${text(used(amount))} or more, or first delete resources that are no longer needed`,
  );
}
