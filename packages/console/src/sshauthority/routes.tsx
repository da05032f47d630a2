import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { dialogSearch, listSearch } from '../parts/list-state.ts';
import { historyTab, projectRoute } from '../places.tsx';

const detailRoute = createRoute({
  getParentRoute: () => projectRoute,
  validateSearch: dialogSearch(['delete']),
  path: 'ssh-authorities/$id',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'SshAuthorityPage'),
});

export const sshAuthorityRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    validateSearch: listSearch({ sort: ['name', 'created'], dialogs: ['new', 'delete'] }),
    path: 'ssh-authorities',
    component: lazyRouteComponent(() => import('./list.tsx'), 'SshAuthoritiesPage'),
  }),
  detailRoute.addChildren([historyTab(detailRoute)]),
] as const;
