import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { listSearch } from '../parts/list-state.ts';
import { historyTab, projectRoute } from '../places.tsx';

const common = { getParentRoute: () => projectRoute, validateSearch: listSearch } as const;

const detailRoute = createRoute({
  ...common,
  path: 'networks/$id',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'NetworkPage'),
});

export const networkRoutes = [
  createRoute({
    ...common,
    path: 'networks',
    component: lazyRouteComponent(() => import('./list.tsx'), 'NetworksPage'),
  }),
  detailRoute.addChildren([historyTab(detailRoute)]),
] as const;
