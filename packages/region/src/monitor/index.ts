import type { Runnable } from '@unikorn/core/controller';

import type { RegionConfiguration } from '../configuration.ts';
import type { RegionContext } from '../context.ts';

export function regionMonitors(_context: RegionContext, _configuration: Pick<Required<RegionConfiguration>, 'monitorPeriod_ms' | 'monitorConcurrency'>): readonly Runnable[] {
  return [];
}
