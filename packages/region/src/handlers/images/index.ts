import type { Route } from '@unikorn/core/http';

import type { RegionContext } from '../../context.ts';

export function imageRoutes(_context: RegionContext): readonly Route[] {
  return [];
}
