import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { detailDialogs, dialogSearch, listSearch, usualDialogs } from '../parts/list-state.ts';
import { filteredByRegion, keepsRegion } from '../parts/search.ts';
import { historyTab, projectRoute } from '../places.tsx';

const detailRoute = createRoute({
  getParentRoute: () => projectRoute,
  ...keepsRegion(dialogSearch(detailDialogs)),
  path: 'networks/$id',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'NetworkPage'),
});

export const networkRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    ...filteredByRegion(listSearch({ sort: ['name', 'status', 'region', 'created'], dialogs: usualDialogs })),
    path: 'networks',
    component: lazyRouteComponent(() => import('./list.tsx'), 'NetworksPage'),
  }),
  detailRoute.addChildren([historyTab(detailRoute)]),
] as const;
