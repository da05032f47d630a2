import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { defined } from '../defined.ts';
import { listSearch } from '../parts/list-state.ts';
import { choiceParameter, textParameter, type RawSearch } from '../parts/search.ts';
import { organizationRoute, platformRoute } from '../places.tsx';
import { guideSearch } from '../shell/rehearsal.ts';

const list = { getParentRoute: () => platformRoute, validateSearch: listSearch } as const;

/** The dialog that is open on the page of one object. */
function dialogSearch(search: RawSearch) {
  return defined({ dialog: textParameter(search, 'dialog'), id: textParameter(search, 'id') });
}

export const regionTypes = ['simulated', 'openstack', 'kubernetes'] as const;
export type RegionType = (typeof regionTypes)[number];

/** The type of a new region, and how its settings are written. The settings themselves are too long for an address. */
function regionFormSearch(search: RawSearch) {
  return defined({
    type: choiceParameter(search, 'type', regionTypes),
    mode: choiceParameter(search, 'mode', ['json']),
  });
}

/** For the administrators of an organization. */
export const organizationSettingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'settings',
  validateSearch: dialogSearch,
  component: lazyRouteComponent(() => import('./organization/detail.tsx'), 'OrganizationSettingsPage'),
});

export const platformRoutes = [
  createRoute({
    getParentRoute: () => platformRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./landing.tsx'), 'PlatformLanding'),
  }),
  createRoute({
    ...list,
    path: 'organizations',
    component: lazyRouteComponent(() => import('./organization/list.tsx'), 'OrganizationsPage'),
  }),
  createRoute({
    getParentRoute: () => platformRoute,
    path: 'organizations/$id',
    validateSearch: dialogSearch,
    component: lazyRouteComponent(() => import('./organization/detail.tsx'), 'OrganizationPage'),
  }),
  createRoute({
    ...list,
    path: 'operators',
    component: lazyRouteComponent(() => import('./operators.tsx'), 'OperatorsPage'),
  }),
  createRoute({
    ...list,
    path: 'applications',
    component: lazyRouteComponent(() => import('./applications.tsx'), 'ApplicationsPage'),
  }),
  createRoute({
    ...list,
    path: 'regions',
    component: lazyRouteComponent(() => import('./region/list.tsx'), 'RegionsPage'),
  }),
  createRoute({
    getParentRoute: () => platformRoute,
    path: 'regions/new',
    validateSearch: regionFormSearch,
    component: lazyRouteComponent(() => import('./region/form.tsx'), 'CreateRegionPage'),
  }),
  createRoute({
    getParentRoute: () => platformRoute,
    path: 'regions/$id',
    validateSearch: dialogSearch,
    component: lazyRouteComponent(() => import('./region/detail.tsx'), 'RegionPage'),
  }),
  createRoute({
    getParentRoute: () => platformRoute,
    path: 'regions/$id/change',
    validateSearch: regionFormSearch,
    component: lazyRouteComponent(() => import('./region/form.tsx'), 'ChangeRegionPage'),
  }),
  createRoute({
    getParentRoute: () => platformRoute,
    path: 'regions/$id/simulation',
    validateSearch: dialogSearch,
    component: lazyRouteComponent(() => import('./simulation/page.tsx'), 'SimulationPage'),
  }),
  createRoute({
    ...list,
    path: 'storage-classes',
    component: lazyRouteComponent(() => import('./storage-classes.tsx'), 'StorageClassesPage'),
  }),
  createRoute({
    ...list,
    path: 'findings',
    component: lazyRouteComponent(() => import('./findings.tsx'), 'FindingsPage'),
  }),
  createRoute({ ...list, path: 'sagas', component: lazyRouteComponent(() => import('./sagas.tsx'), 'SagasPage') }),
  createRoute({
    ...list,
    path: 'controllers',
    component: lazyRouteComponent(() => import('./controllers.tsx'), 'ControllersPage'),
  }),
  createRoute({
    getParentRoute: () => platformRoute,
    path: 'guided-minute',
    validateSearch: guideSearch,
    component: lazyRouteComponent(() => import('./guide/page.tsx'), 'GuidePage'),
  }),
] as const;
