import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { listSearch } from '../parts/list-state.ts';
import { filteredByRegion, keepsRegion } from '../parts/search.ts';
import { historyTab, projectRoute } from '../places.tsx';

const detailRoute = createRoute({
  getParentRoute: () => projectRoute,
  ...keepsRegion(listSearch),
  path: 'file-storage/$id',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'FileStorageDetailPage'),
});

export const fileStorageRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    ...filteredByRegion(listSearch),
    path: 'file-storage',
    component: lazyRouteComponent(() => import('./list.tsx'), 'FileStoragePage'),
  }),
  detailRoute.addChildren([historyTab(detailRoute)]),
] as const;
