import { labels } from '@unikorn/core/resource';

import type { Server } from '../kinds/index.ts';
import { labelOf } from '../placement.ts';
import type { ServerReference } from '../provider/index.ts';

/** What a provider finds a server by. */
export function serverReference({ metadata }: Pick<Server, 'metadata'>): ServerReference {
  return { id: metadata.name, name: labelOf(metadata, labels.name) };
}
