import { labels } from '@unikorn/core/resource';

import type { Server } from '../kinds/index.ts';
import { labelOf } from '../placement.ts';
import type { ServerReference } from '../provider/index.ts';

/** The reference by which a provider finds a server. */
export function serverReference({ metadata }: Pick<Server, 'metadata'>): ServerReference {
  return { id: metadata.name, name: labelOf(metadata, labels.name) };
}
