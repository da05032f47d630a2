import type { Route } from '@unikorn/core/http';

import type { RegionContext } from '../../context.ts';
import { inventoryRoutes } from './inventory.ts';
import { regionOperationRoutes } from './operate.ts';
import { regionReadRoutes } from './regions.ts';

/** The regions and their catalogues. */
export function catalogueRoutes(context: RegionContext): readonly Route[] {
  return [...regionReadRoutes(context), ...regionOperationRoutes(context), ...inventoryRoutes(context)];
}
