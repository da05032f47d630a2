import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { listSearch } from '../parts/list-state.ts';
import { historyTab, projectRoute } from '../places.tsx';

const common = { getParentRoute: () => projectRoute, validateSearch: listSearch } as const;

const detailRoute = createRoute({
  ...common,
  path: 'load-balancers/$id',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'LoadBalancerPage'),
});

export const loadBalancerRoutes = [
  createRoute({
    ...common,
    path: 'load-balancers',
    component: lazyRouteComponent(() => import('./list.tsx'), 'LoadBalancersPage'),
  }),
  detailRoute.addChildren([historyTab(detailRoute)]),
] as const;
