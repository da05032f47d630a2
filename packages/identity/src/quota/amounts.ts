import { Problem } from '@unikorn/core/errors';

import { isQuotaKind, quotaKinds, type QuotaKind } from './catalogue.ts';

/** `committed` is in use, `reserved` is kept free for growth; both count. */
export interface Amount {
  readonly committed: number;
  readonly reserved: number;
}

/** By quota kind; an absent kind is zero. */
export type Amounts = Readonly<Record<string, Amount>>;

/** In the form of the API. */
export interface AmountEntry extends Amount {
  readonly kind: string;
}

const zero: Amount = { committed: 0, reserved: 0 };

export function used({ committed, reserved }: Amount): number {
  return committed + reserved;
}

export function amountOf(amounts: Amounts, kind: string): Amount {
  return amounts[kind] ?? zero;
}

/** `sign` 1 adds, -1 subtracts; kinds with zero are dropped. */
export function combine(a: Amounts, b: Amounts, sign: 1 | -1): Amounts {
  const kinds = new Set([...Object.keys(a), ...Object.keys(b)]);
  const sums = [...kinds].map((kind): [string, Amount] => {
    const [left, right] = [amountOf(a, kind), amountOf(b, kind)];
    return [
      kind,
      { committed: left.committed + sign * right.committed, reserved: left.reserved + sign * right.reserved },
    ];
  });
  return Object.fromEntries(sums.filter(([, amount]) => amount.committed !== 0 || amount.reserved !== 0));
}

/** The kinds that a change increases, and those that it decreases or leaves equal. */
export function split(delta: Amounts): { readonly growth: Amounts; readonly shrinkage: Amounts } {
  const kinds = Object.entries(delta);
  return {
    growth: Object.fromEntries(kinds.filter(([, change]) => used(change) > 0)),
    shrinkage: Object.fromEntries(kinds.filter(([, change]) => used(change) <= 0)),
  };
}

export function toAmounts(entries: readonly AmountEntry[]): Amounts {
  return Object.fromEntries(entries.map(({ kind, committed, reserved }) => [kind, { committed, reserved }]));
}

/** Refuses unknown kinds, which would have no limit, and duplicate kinds. */
export function requireKnownKinds(place: string, entries: readonly { readonly kind: string }[]): void {
  const seen = new Set<QuotaKind>();
  for (const [index, { kind }] of entries.entries()) {
    if (!isQuotaKind(kind))
      throw new Problem('invalid_request', `${place}.${index}.kind: must be one of ${quotaKinds.join(', ')}`);
    if (seen.has(kind)) throw new Problem('invalid_request', `${place}.${index}.kind: ${kind} is named twice`);
    seen.add(kind);
  }
}
