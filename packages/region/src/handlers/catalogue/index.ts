import type { Route } from '@unikorn/core/http';

import type { RegionContext } from '../../context.ts';

export function catalogueRoutes(_context: RegionContext): readonly Route[] {
  return [];
}
