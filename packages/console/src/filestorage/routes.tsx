import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { detailDialogs, dialogSearch, listSearch, usualDialogs } from '../parts/list-state.ts';
import { filteredByRegion, keepsRegion } from '../parts/search.ts';
import { historyTab, projectRoute } from '../places.tsx';

const detailRoute = createRoute({
  getParentRoute: () => projectRoute,
  ...keepsRegion(dialogSearch(detailDialogs)),
  path: 'file-storage/$id',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'FileStorageDetailPage'),
});

export const fileStorageRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    ...filteredByRegion(listSearch({ sort: ['name', 'status', 'size', 'region', 'created'], dialogs: usualDialogs })),
    path: 'file-storage',
    component: lazyRouteComponent(() => import('./list.tsx'), 'FileStoragePage'),
  }),
  detailRoute.addChildren([historyTab(detailRoute)]),
] as const;
