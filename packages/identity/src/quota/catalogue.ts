interface QuotaKindEntry {
  readonly displayName: string;
  readonly description: string;
  /** The default limit of an organization, in the unit of the kind. */
  readonly default: number;
  readonly unit: 'count' | 'bytes' | 'GiB';
  /** The format in which clients show the number: powers of ten or of two. */
  readonly format: 'decimal' | 'binary';
}

const count = { unit: 'count', format: 'decimal' } as const;

/** All resources with a quota. Other kinds cannot be charged. */
export const quotaCatalogue = {
  clusters: { ...count, displayName: 'Clusters', description: 'Clusters of machines or containers', default: 5 },
  filestorage: {
    displayName: 'File storage',
    description: 'Size of all file storage together, in bytes',
    default: 2 ** 40,
    unit: 'bytes',
    format: 'binary',
  },
  gpus: { ...count, displayName: 'GPUs', description: 'Physical GPUs of all machines together', default: 40 },
  loadbalancers: { ...count, displayName: 'Load balancers', description: 'Load balancers', default: 5 },
  networks: { ...count, displayName: 'Networks', description: 'Virtual networks', default: 5 },
  publicips: { ...count, displayName: 'Public IPs', description: 'Addresses reachable from the internet', default: 5 },
  servers: { ...count, displayName: 'Servers', description: 'Virtual and bare-metal machines', default: 10 },
  volume: {
    displayName: 'Volumes',
    description: 'Size of all volumes together, in GiB',
    default: 0,
    unit: 'GiB',
    format: 'binary',
  },
} as const satisfies Record<string, QuotaKindEntry>;

export type QuotaKind = keyof typeof quotaCatalogue;

export function isQuotaKind(text: string): text is QuotaKind {
  return Object.hasOwn(quotaCatalogue, text);
}

/** A quantity with its unit, if it has one. */
export function quantityText(kind: string, quantity: number): string {
  const unit = isQuotaKind(kind) ? quotaCatalogue[kind].unit : 'count';
  return unit === 'count' ? String(quantity) : `${quantity} ${unit}`;
}

/** Sorted by name, as in the contract. */
export const quotaKinds: readonly QuotaKind[] = Object.keys(quotaCatalogue).filter(isQuotaKind).sort();
