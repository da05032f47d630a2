import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { listSearch } from '../parts/list-state.ts';
import { filteredByRegion, keepsRegion } from '../parts/search.ts';
import { historyTab, projectRoute } from '../places.tsx';

const detailRoute = createRoute({
  getParentRoute: () => projectRoute,
  ...keepsRegion(listSearch),
  // Several regions can have an image with the same id.
  path: 'images/$region/$id',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'ImagePage'),
});

export const imageRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    ...filteredByRegion(listSearch),
    path: 'images',
    component: lazyRouteComponent(() => import('./list.tsx'), 'ImagesPage'),
  }),
  detailRoute.addChildren([historyTab(detailRoute)]),
] as const;
