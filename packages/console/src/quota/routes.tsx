import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { defined } from '../defined.ts';
import { textParameter, type RawSearch } from '../parts/search.ts';
import { organizationRoute } from '../places.tsx';

/** The quota whose uses are shown, and whether the limits are being changed. */
function quotaSearch(search: RawSearch) {
  return defined({ kind: textParameter(search, 'kind'), dialog: textParameter(search, 'dialog') });
}

export const quotaRoutes = [
  createRoute({
    getParentRoute: () => organizationRoute,
    path: 'quotas',
    validateSearch: quotaSearch,
    component: lazyRouteComponent(() => import('./page.tsx'), 'QuotasPage'),
  }),
] as const;
