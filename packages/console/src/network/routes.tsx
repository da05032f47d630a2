import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { listSearch } from '../parts/list-state.ts';
import { projectRoute } from '../places.tsx';

const common = { getParentRoute: () => projectRoute, validateSearch: listSearch } as const;

export const networkRoutes = [
  createRoute({
    ...common,
    path: 'networks',
    component: lazyRouteComponent(() => import('./list.tsx'), 'NetworksPage'),
  }),
  createRoute({
    ...common,
    path: 'networks/$id',
    component: lazyRouteComponent(() => import('./detail.tsx'), 'NetworkPage'),
  }),
] as const;
