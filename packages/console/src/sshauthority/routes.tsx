import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { listSearch } from '../parts/list-state.ts';
import { projectRoute } from '../places.tsx';

export const sshAuthorityRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    validateSearch: listSearch,
    path: 'ssh-authorities',
    component: lazyRouteComponent(() => import('./list.tsx'), 'SshAuthoritiesPage'),
  }),
  createRoute({
    getParentRoute: () => projectRoute,
    validateSearch: listSearch,
    path: 'ssh-authorities/$id',
    component: lazyRouteComponent(() => import('./detail.tsx'), 'SshAuthorityPage'),
  }),
] as const;
