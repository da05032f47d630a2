import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { dialogSearch, listSearch } from '../parts/list-state.ts';
import { filteredByRegion, keepsRegion } from '../parts/search.ts';
import { historyTab, projectRoute } from '../places.tsx';

const detailRoute = createRoute({
  getParentRoute: () => projectRoute,
  ...keepsRegion(dialogSearch(['delete'])),
  // Several regions can have an image with the same id.
  path: 'images/$region/$id',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'ImagePage'),
});

export const imageRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    ...filteredByRegion(
      listSearch({ sort: ['name', 'status', 'os', 'size', 'region', 'created'], dialogs: ['new', 'delete'] }),
    ),
    path: 'images',
    component: lazyRouteComponent(() => import('./list.tsx'), 'ImagesPage'),
  }),
  detailRoute.addChildren([historyTab(detailRoute)]),
] as const;
