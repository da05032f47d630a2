import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { listSearch } from '../parts/list-state.ts';
import { projectRoute } from '../places.tsx';

export const imageRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    validateSearch: listSearch,
    path: 'images',
    component: lazyRouteComponent(() => import('./list.tsx'), 'ImagesPage'),
  }),
] as const;
