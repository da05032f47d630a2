import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { defined } from '../defined.ts';
import { detailDialogs, dialogSearch, listSearch, usualDialogs } from '../parts/list-state.ts';
import { choiceParameter, type RawSearch } from '../parts/search.ts';
import { organizationRoute, platformRoute } from '../places.tsx';
import { guideSearch } from '../shell/rehearsal.ts';

const list = { getParentRoute: () => platformRoute } as const;

/** What can happen to a machine behind the back of the services. Each is a dialog of the page of the simulation. */
export const drifts = ['stopped', 'failed', 'deleted'] as const;

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
  validateSearch: dialogSearch(detailDialogs),
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
    validateSearch: listSearch({ sort: ['name', 'status', 'created'], dialogs: usualDialogs }),
    path: 'organizations',
    component: lazyRouteComponent(() => import('./organization/list.tsx'), 'OrganizationsPage'),
  }),
  createRoute({
    getParentRoute: () => platformRoute,
    path: 'organizations/$id',
    validateSearch: dialogSearch(detailDialogs),
    component: lazyRouteComponent(() => import('./organization/detail.tsx'), 'OrganizationPage'),
  }),
  createRoute({
    ...list,
    validateSearch: listSearch({ sort: ['subject'], dialogs: usualDialogs }),
    path: 'operators',
    component: lazyRouteComponent(() => import('./operators.tsx'), 'OperatorsPage'),
  }),
  createRoute({
    ...list,
    validateSearch: listSearch({ sort: ['name', 'created'], dialogs: [...usualDialogs, 'rotate'] }),
    path: 'applications',
    component: lazyRouteComponent(() => import('./applications.tsx'), 'ApplicationsPage'),
  }),
  createRoute({
    ...list,
    validateSearch: listSearch({ sort: ['name', 'state', 'type', 'created'] }),
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
    validateSearch: dialogSearch(['delete']),
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
    validateSearch: dialogSearch(drifts),
    component: lazyRouteComponent(() => import('./simulation/page.tsx'), 'SimulationPage'),
  }),
  createRoute({
    ...list,
    validateSearch: listSearch({ sort: ['name', 'region', 'parallelism', 'created'], dialogs: ['new', 'delete'] }),
    path: 'storage-classes',
    component: lazyRouteComponent(() => import('./storage-classes.tsx'), 'StorageClassesPage'),
  }),
  createRoute({
    ...list,
    validateSearch: listSearch({ sort: ['checker', 'object'], groups: true }),
    path: 'findings',
    component: lazyRouteComponent(() => import('./findings.tsx'), 'FindingsPage'),
  }),
  createRoute({
    ...list,
    validateSearch: listSearch({
      sort: ['saga', 'state', 'service', 'attempts', 'started'],
      dialogs: ['saga'],
      groups: true,
    }),
    path: 'sagas',
    component: lazyRouteComponent(() => import('./sagas.tsx'), 'SagasPage'),
  }),
  createRoute({
    ...list,
    validateSearch: listSearch({ sort: ['name', 'queue', 'running', 'delayed', 'retrying', 'parked', 'oldest'] }),
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
