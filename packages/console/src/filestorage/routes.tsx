import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { listSearch } from '../parts/list-state.ts';
import { projectRoute } from '../places.tsx';

const common = { getParentRoute: () => projectRoute, validateSearch: listSearch } as const;

export const fileStorageRoutes = [
  createRoute({
    ...common,
    path: 'file-storage',
    component: lazyRouteComponent(() => import('./list.tsx'), 'FileStoragePage'),
  }),
  createRoute({
    ...common,
    path: 'file-storage/$id',
    component: lazyRouteComponent(() => import('./detail.tsx'), 'FileStorageDetailPage'),
  }),
] as const;
