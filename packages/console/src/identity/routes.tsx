import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { listSearch, usualDialogs } from '../parts/list-state.ts';
import { organizationRoute } from '../places.tsx';

const common = { getParentRoute: () => organizationRoute } as const;

export const identityRoutes = [
  createRoute({
    ...common,
    validateSearch: listSearch({ sort: ['name', 'status', 'created'], dialogs: [...usualDialogs, 'story'] }),
    path: 'projects',
    component: lazyRouteComponent(() => import('./projects.tsx'), 'ProjectsPage'),
  }),
  createRoute({
    ...common,
    validateSearch: listSearch({ sort: ['name', 'state', 'active'], dialogs: [...usualDialogs, 'invite'] }),
    path: 'users',
    component: lazyRouteComponent(() => import('./people.tsx'), 'PeoplePage'),
  }),
  createRoute({
    ...common,
    validateSearch: listSearch({ sort: ['name', 'members'], dialogs: usualDialogs }),
    path: 'groups',
    component: lazyRouteComponent(() => import('./groups.tsx'), 'GroupsPage'),
  }),
  createRoute({
    ...common,
    validateSearch: listSearch({}),
    path: 'groups/roles',
    component: lazyRouteComponent(() => import('./matrix-pages.tsx'), 'GroupRolesPage'),
  }),
  createRoute({
    ...common,
    validateSearch: listSearch({}),
    path: 'projects/groups',
    component: lazyRouteComponent(() => import('./matrix-pages.tsx'), 'ProjectGroupsPage'),
  }),
  createRoute({
    ...common,
    validateSearch: listSearch({ sort: ['name', 'grantable'], dialogs: ['permissions'] }),
    path: 'roles',
    component: lazyRouteComponent(() => import('./roles.tsx'), 'RolesPage'),
  }),
  createRoute({
    ...common,
    validateSearch: listSearch({ sort: ['name', 'expiry', 'created'], dialogs: [...usualDialogs, 'rotate'] }),
    path: 'service-accounts',
    component: lazyRouteComponent(() => import('./service-accounts.tsx'), 'ServiceAccountsPage'),
  }),
  createRoute({
    ...common,
    validateSearch: listSearch({ sort: ['name'], dialogs: usualDialogs }),
    path: 'login-providers',
    component: lazyRouteComponent(() => import('./login-providers.tsx'), 'LoginProvidersPage'),
  }),
] as const;
