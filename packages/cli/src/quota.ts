import { parseQuantity, type Quotas, type QuotasWrite } from '@unikorn/sdk';

import { closest } from './closest.ts';
import { Failure } from './failure.ts';

export type Quota = Quotas['quotas'][number];

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
