import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { listSearch } from '../parts/list-state.ts';
import { filteredByRegion, keepsRegion } from '../parts/search.ts';
import { historyTab, projectRoute } from '../places.tsx';

const detailRoute = createRoute({
  getParentRoute: () => projectRoute,
  ...keepsRegion(listSearch),
  path: 'networks/$id',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'NetworkPage'),
});

export const networkRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    ...filteredByRegion(listSearch),
    path: 'networks',
    component: lazyRouteComponent(() => import('./list.tsx'), 'NetworksPage'),
  }),
  detailRoute.addChildren([historyTab(detailRoute)]),
] as const;
