import type { Route } from '@unikorn/core/http';

import type { RegionContext } from '../../context.ts';
import type { WriteFileStorage } from '../../sagas/index.ts';

export function fileStorageRoutes(_context: RegionContext & { readonly writeFileStorage: WriteFileStorage }): readonly Route[] {
  return [];
}
