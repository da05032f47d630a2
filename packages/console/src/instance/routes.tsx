import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { defined } from '../defined.ts';
import {
  backParameter,
  choiceParameter,
  choicesParameter,
  filteredByRegion,
  keepsRegion,
  sortParameter,
  textParameter,
  type RawSearch,
} from '../parts/search.ts';
import { organizationRoute, projectRoute, rootRoute } from '../places.tsx';
import { stateFilters } from '../parts/instance-status.ts';

const columns = [
  'name',
  'status',
  'address',
  'publicAddress',
  'flavor',
  'image',
  'network',
  'region',
  'tags',
  'id',
  'age',
] as const;

const sortable = columns.filter((key) => key !== 'tags' && key !== 'id');

/** The state of the list, which is kept in its address. */
function listSearch(search: RawSearch) {
  return defined({
    q: textParameter(search, 'q'),
    status: choiceParameter(search, 'status', stateFilters),
    network: textParameter(search, 'network'),
    group: textParameter(search, 'group'),
    authority: textParameter(search, 'authority'),
    flavor: textParameter(search, 'flavor'),
    image: textParameter(search, 'image'),
    tag: textParameter(search, 'tag'),
    sort: sortParameter(search, sortable),
    cols: choicesParameter(search, 'cols', columns),
    sel: textParameter(search, 'sel'),
  });
}

/** The list of all projects can also be limited to one, and shows it. */
const allColumns = ['project', ...columns] as const;

function allSearch(search: RawSearch) {
  return defined({
    ...listSearch(search),
    project: textParameter(search, 'project'),
    sort: sortParameter(search, ['project', ...sortable]),
    cols: choicesParameter(search, 'cols', allColumns),
  });
}

export type InstanceColumn = (typeof allColumns)[number];
export type InstanceListSearch = ReturnType<typeof allSearch> & { readonly region?: string | undefined };

const listRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'instances',
  ...filteredByRegion(listSearch),
  component: lazyRouteComponent(() => import('./list/page.tsx'), 'InstanceListPage'),
});

/** The instances of all projects of an organization. */
export const allInstancesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: 'instances',
  ...filteredByRegion(allSearch),
  component: lazyRouteComponent(() => import('./list/page.tsx'), 'AllInstancesPage'),
});

const createInstanceRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'instances/new',
  ...keepsRegion((search: RawSearch) =>
    defined({
      from: textParameter(search, 'from'),
      name: textParameter(search, 'name'),
      network: textParameter(search, 'network'),
      flavor: textParameter(search, 'flavor'),
      image: textParameter(search, 'image'),
      groups: textParameter(search, 'groups'),
      authority: textParameter(search, 'authority'),
      publicIP: choiceParameter(search, 'publicIP', ['yes']),
      protected: choiceParameter(search, 'protected', ['yes']),
      sources: textParameter(search, 'sources'),
      afterRebuild: choiceParameter(search, 'afterRebuild', ['start', 'stop']),
    }),
  ),
  component: lazyRouteComponent(() => import('./create/page.tsx'), 'CreateInstancePage'),
});

/** The dialogs of the page of an instance. Each asks before it does something, so that an address changes nothing. */
const dialogs = ['stop', 'reboot', 'snapshot', 'tags', 'delete'] as const;

export type InstanceDialog = (typeof dialogs)[number];

const detailRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'instances/$id',
  ...keepsRegion((search: RawSearch) =>
    defined({
      change: choiceParameter(search, 'change', ['1']),
      dialog: choiceParameter(search, 'dialog', dialogs),
      back: backParameter(search),
    }),
  ),
  component: lazyRouteComponent(() => import('./detail/page.tsx'), 'InstancePage'),
});

const tab = {
  overview: createRoute({
    getParentRoute: () => detailRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./detail/overview.tsx'), 'InstanceOverview'),
  }),
  network: createRoute({
    getParentRoute: () => detailRoute,
    path: 'network',
    component: lazyRouteComponent(() => import('./detail/network.tsx'), 'InstanceNetwork'),
  }),
  console: createRoute({
    getParentRoute: () => detailRoute,
    path: 'console',
    component: lazyRouteComponent(() => import('./detail/console.tsx'), 'InstanceConsole'),
  }),
  history: createRoute({
    getParentRoute: () => detailRoute,
    path: 'history',
    component: lazyRouteComponent(() => import('./detail/history.tsx'), 'InstanceHistory'),
  }),
  settings: createRoute({
    getParentRoute: () => detailRoute,
    path: 'settings',
    component: lazyRouteComponent(() => import('./detail/settings.tsx'), 'InstanceSettings'),
  }),
};

export const instanceRoutes = [
  listRoute,
  createInstanceRoute,
  detailRoute.addChildren([tab.overview, tab.network, tab.console, tab.history, tab.settings]),
] as const;

/** Finds an instance by its id, also one that is deleted. */
export const instanceLookupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/i/$id',
  component: lazyRouteComponent(() => import('./detail/lookup.tsx'), 'InstanceLookup'),
});
