import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { defined } from '../defined.ts';
import { backParameter, choiceParameter, textParameter, type RawSearch } from '../parts/search.ts';
import { organizationRoute } from '../places.tsx';

/** The quota whose uses are shown, whether the limits are being changed, and the draft that needs a free place. */
function quotaSearch(search: RawSearch) {
  return defined({
    kind: textParameter(search, 'kind'),
    dialog: choiceParameter(search, 'dialog', ['change']),
    back: backParameter(search),
  });
}

export const quotaRoutes = [
  createRoute({
    getParentRoute: () => organizationRoute,
    path: 'quotas',
    validateSearch: quotaSearch,
    component: lazyRouteComponent(() => import('./page.tsx'), 'QuotasPage'),
  }),
] as const;
