import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { listSearch } from '../parts/list-state.ts';
import { organizationRoute } from '../places.tsx';

const common = { getParentRoute: () => organizationRoute, validateSearch: listSearch } as const;

export const identityRoutes = [
  createRoute({
    ...common,
    path: 'projects',
    component: lazyRouteComponent(() => import('./projects.tsx'), 'ProjectsPage'),
  }),
  createRoute({ ...common, path: 'users', component: lazyRouteComponent(() => import('./people.tsx'), 'PeoplePage') }),
  createRoute({ ...common, path: 'groups', component: lazyRouteComponent(() => import('./groups.tsx'), 'GroupsPage') }),
  createRoute({
    ...common,
    path: 'groups/roles',
    component: lazyRouteComponent(() => import('./matrix-pages.tsx'), 'GroupRolesPage'),
  }),
  createRoute({
    ...common,
    path: 'projects/groups',
    component: lazyRouteComponent(() => import('./matrix-pages.tsx'), 'ProjectGroupsPage'),
  }),
  createRoute({ ...common, path: 'roles', component: lazyRouteComponent(() => import('./roles.tsx'), 'RolesPage') }),
  createRoute({
    ...common,
    path: 'service-accounts',
    component: lazyRouteComponent(() => import('./service-accounts.tsx'), 'ServiceAccountsPage'),
  }),
  createRoute({
    ...common,
    path: 'login-providers',
    component: lazyRouteComponent(() => import('./login-providers.tsx'), 'LoginProvidersPage'),
  }),
] as const;
