import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { listSearch } from '../parts/list-state.ts';
import { historyTab, projectRoute } from '../places.tsx';

const common = { getParentRoute: () => projectRoute, validateSearch: listSearch } as const;

const detailRoute = createRoute({
  ...common,
  path: 'security-groups/$id',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'SecurityGroupPage'),
});

export const securityGroupRoutes = [
  createRoute({
    ...common,
    path: 'security-groups',
    component: lazyRouteComponent(() => import('./list.tsx'), 'SecurityGroupsPage'),
  }),
  detailRoute.addChildren([historyTab(detailRoute)]),
] as const;
