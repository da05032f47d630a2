import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { defined } from '../defined.ts';
import { choiceParameter, textParameter, type RawSearch } from '../parts/search.ts';
import { organizationRoute, projectRoute } from '../places.tsx';
import { lanes } from './lanes.ts';

/** The state of the page, which is kept in its address. */
export function activitySearch(search: RawSearch) {
  return defined({
    q: textParameter(search, 'q'),
    lane: choiceParameter(search, 'lane', lanes),
    kind: textParameter(search, 'kind'),
  });
}

export type ActivitySearch = ReturnType<typeof activitySearch>;

const common = { path: 'activity', validateSearch: activitySearch } as const;

export const activityRoutes = [
  createRoute({
    ...common,
    getParentRoute: () => projectRoute,
    component: lazyRouteComponent(() => import('./page.tsx'), 'ProjectActivityPage'),
  }),
] as const;

export const organizationActivityRoutes = [
  createRoute({
    ...common,
    getParentRoute: () => organizationRoute,
    component: lazyRouteComponent(() => import('./page.tsx'), 'OrganizationActivityPage'),
  }),
] as const;
