import type { Quotas } from './types.ts';

const binaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** A quantity for display; sizes in the largest unit that is exact. */
export function quantityText(quantity: number, format: Quotas['quotas'][number]['format']): string {
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
