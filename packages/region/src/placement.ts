import type { Metadata } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import { labelOf, placementOf } from '@unikorn/identity/client';

import type { IdentityReference } from './provider/index.ts';

export { labelOf, placementOf, principalOf } from '@unikorn/identity/client';

/** The principal in the cloud that owns a resource. */
export function identityOf(metadata: Pick<Metadata, 'name' | 'labels' | 'annotations'>): IdentityReference {
  return { id: labelOf(metadata, labels.identity), ...placementOf(metadata) };
}
