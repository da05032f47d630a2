import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { defined } from '../defined.ts';
import { choiceParameter, textParameter, type RawSearch } from '../parts/search.ts';
import { projectRoute, rootRoute } from '../places.tsx';
import { stateFilters } from './status.ts';

/** The state of the list, which is kept in its address. */
function listSearch(search: RawSearch) {
  return defined({
    q: textParameter(search, 'q'),
    status: choiceParameter(search, 'status', stateFilters),
    network: textParameter(search, 'network'),
    sort: textParameter(search, 'sort'),
    cols: textParameter(search, 'cols'),
    sel: textParameter(search, 'sel'),
  });
}

export type InstanceListSearch = ReturnType<typeof listSearch>;

const listRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'instances',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./list/page.tsx'), 'InstanceListPage'),
});

const detailRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: 'instances/$id',
  component: lazyRouteComponent(() => import('./detail/page.tsx'), 'InstancePage'),
});

export const instanceRoutes = [listRoute, detailRoute] as const;

/** Finds an instance by its id, also one that is deleted. */
export const instanceLookupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/i/$id',
  component: lazyRouteComponent(() => import('./detail/lookup.tsx'), 'InstanceLookup'),
});
