import type { Route } from '@unikorn/core/http';

import type { RegionContext } from '../../context.ts';
import type { WriteLoadBalancer } from '../../sagas/index.ts';

export function loadBalancerRoutes(_context: RegionContext & { readonly writeLoadBalancer: WriteLoadBalancer }): readonly Route[] {
  return [];
}
