import type { Quotas, QuotasWrite } from '@unikorn/sdk';

import { closest } from './closest.ts';
import { Failure } from './failure.ts';

export type Quota = Quotas['quotas'][number];

const binaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** A quantity for display; sizes in the largest unit that is exact. */
export function quantityText(quantity: number, format: Quota['format']): string {
  if (format === 'decimal') return String(quantity);
  const power = quantity === 0 ? 0 : binaryUnits.findLastIndex((_, index) => quantity % 1024 ** index === 0);
  return `${quantity / 1024 ** power} ${binaryUnits[power] ?? 'B'}`;
}

/** Parses a text such as 20 or 2TiB. */
export function parseQuantity(text: string): number | undefined {
  const { count, unit = 'B' } = /^(?<count>\d+) ?(?<unit>[KMGTP]iB|B)?$/.exec(text)?.groups ?? {};
  const quantity = Number(count) * 1024 ** binaryUnits.findIndex((known) => known === unit);
  return Number.isSafeInteger(quantity) ? quantity : undefined;
}

export function quotaOf({ quotas }: Quotas, kind: string): Quota {
  const found = quotas.find((quota) => quota.kind === kind);
  if (found) return found;
  const kinds = quotas.map((quota) => quota.kind);
  const close = closest(kind, kinds);
  throw new Failure(
    'notFound',
    `there is no quota ${kind}`,
    close.length > 0 ? `did you mean ${close.join(' or ')}?` : `there are ${kinds.join(', ')}`,
  );
}

/** The body that changes only the given quotas; each is given as `kind=quantity`. */
export function changedQuotas(current: Quotas, wanted: readonly string[]): QuotasWrite {
  const changes = new Map(
    wanted.map((text) => {
      const [kind = '', said = '', ...rest] = text.split('=');
      const quantity = parseQuantity(said);
      if (quantity === undefined || rest.length > 0)
        throw new Failure(
          'usage',
          `${text} is not a quota; write kind=quantity, such as servers=20 or filestorage=2TiB`,
        );
      return [quotaOf(current, kind).kind, quantity] as const;
    }),
  );
  return { quotas: current.quotas.map(({ kind, quantity }) => ({ kind, quantity: changes.get(kind) ?? quantity })) };
}
