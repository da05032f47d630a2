import type { Runnable } from '@unikorn/core/controller';

import type { RegionConfiguration } from '../configuration.ts';
import type { RegionContext } from '../context.ts';

export function serverControllers(_context: RegionContext, _configuration: Pick<Required<RegionConfiguration>, 'serverCreateAttempts'>): readonly Runnable[] {
  return [];
}
