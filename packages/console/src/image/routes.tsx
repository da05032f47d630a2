import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { listSearch } from '../parts/list-state.ts';
import { historyTab, projectRoute } from '../places.tsx';

const common = { getParentRoute: () => projectRoute, validateSearch: listSearch } as const;

const detailRoute = createRoute({
  ...common,
  // Several regions can have an image with the same id.
  path: 'images/$region/$id',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'ImagePage'),
});

export const imageRoutes = [
  createRoute({
    ...common,
    path: 'images',
    component: lazyRouteComponent(() => import('./list.tsx'), 'ImagesPage'),
  }),
  detailRoute.addChildren([historyTab(detailRoute)]),
] as const;
