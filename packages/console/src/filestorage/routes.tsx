import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { listSearch } from '../parts/list-state.ts';
import { historyTab, projectRoute } from '../places.tsx';

const common = { getParentRoute: () => projectRoute, validateSearch: listSearch } as const;

const detailRoute = createRoute({
  ...common,
  path: 'file-storage/$id',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'FileStorageDetailPage'),
});

export const fileStorageRoutes = [
  createRoute({
    ...common,
    path: 'file-storage',
    component: lazyRouteComponent(() => import('./list.tsx'), 'FileStoragePage'),
  }),
  detailRoute.addChildren([historyTab(detailRoute)]),
] as const;
