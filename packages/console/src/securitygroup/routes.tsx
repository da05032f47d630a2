import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { listSearch } from '../parts/list-state.ts';
import { filteredByRegion, keepsRegion } from '../parts/search.ts';
import { historyTab, projectRoute } from '../places.tsx';

const detailRoute = createRoute({
  getParentRoute: () => projectRoute,
  ...keepsRegion(listSearch),
  path: 'security-groups/$id',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'SecurityGroupPage'),
});

export const securityGroupRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    ...filteredByRegion(listSearch),
    path: 'security-groups',
    component: lazyRouteComponent(() => import('./list.tsx'), 'SecurityGroupsPage'),
  }),
  detailRoute.addChildren([historyTab(detailRoute)]),
] as const;
