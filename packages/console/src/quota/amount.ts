import { quantityText, type Quotas } from '@unikorn/sdk';

import { number, words } from '../words/index.ts';

export type Quota = Quotas['quotas'][number];

/** A quantity of a quota as a text, such as `12` or `2 TiB`. */
export function amount(quantity: number, { format }: Pick<Quota, 'format'>): string {
  return format === 'binary' ? quantityText(quantity, format) : number(quantity);
}

/** The parts of the bar in percent. They never exceed it, although a lowered limit can be below the use. */
export function shares({ committed, reserved, quantity }: Pick<Quota, 'committed' | 'reserved' | 'quantity'>): {
  readonly committed: number;
  readonly reserved: number;
} {
  const whole = Math.max(quantity, committed + reserved, 1);
  return { committed: (100 * committed) / whole, reserved: (100 * reserved) / whole };
}

/** The kind of a resource in the words of the pages: the API has it as a name of a stored kind. */
export function kindWord(kind: string): string {
  const [plural = ''] = kind.split('.');
  return Object.entries(words.quota.kinds).find(([known]) => known === plural)?.[1] ?? plural;
}

const pages: Readonly<Record<string, string>> = {
  computeinstances: 'instances',
  networks: 'networks',
  loadbalancers: 'load-balancers',
  filestorages: 'file-storage',
};

/** The page of a kind of resource, below its project. */
export function pageOf(kind: string): string | undefined {
  return pages[kind.split('.')[0] ?? ''];
}
