import type { Runnable } from '@unikorn/core/controller';

import type { RegionContext } from '../context.ts';

export function fileStorageControllers(_context: RegionContext): readonly Runnable[] {
  return [];
}
