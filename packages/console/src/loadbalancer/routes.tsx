import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { detailDialogs, dialogSearch, listSearch, usualDialogs } from '../parts/list-state.ts';
import { filteredByRegion, keepsRegion } from '../parts/search.ts';
import { historyTab, projectRoute } from '../places.tsx';

const detailRoute = createRoute({
  getParentRoute: () => projectRoute,
  ...keepsRegion(dialogSearch(detailDialogs)),
  path: 'load-balancers/$id',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'LoadBalancerPage'),
});

export const loadBalancerRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    ...filteredByRegion(listSearch({ sort: ['name', 'status', 'network', 'created'], dialogs: usualDialogs })),
    path: 'load-balancers',
    component: lazyRouteComponent(() => import('./list.tsx'), 'LoadBalancersPage'),
  }),
  detailRoute.addChildren([historyTab(detailRoute)]),
] as const;
