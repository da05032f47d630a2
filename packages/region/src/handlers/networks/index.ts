import type { Route } from '@unikorn/core/http';

import type { RegionContext } from '../../context.ts';
import type { CreateNetwork } from '../../sagas/index.ts';

export function networkRoutes(_context: RegionContext & { readonly createNetwork: CreateNetwork }): readonly Route[] {
  return [];
}
