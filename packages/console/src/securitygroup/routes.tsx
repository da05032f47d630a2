import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { detailDialogs, dialogSearch, listSearch, usualDialogs } from '../parts/list-state.ts';
import { filteredByRegion, keepsRegion } from '../parts/search.ts';
import { historyTab, projectRoute } from '../places.tsx';

const detailRoute = createRoute({
  getParentRoute: () => projectRoute,
  ...keepsRegion(dialogSearch(detailDialogs)),
  path: 'security-groups/$id',
  component: lazyRouteComponent(() => import('./detail.tsx'), 'SecurityGroupPage'),
});

export const securityGroupRoutes = [
  createRoute({
    getParentRoute: () => projectRoute,
    ...filteredByRegion(listSearch({ sort: ['name', 'status', 'network', 'rules', 'created'], dialogs: usualDialogs })),
    path: 'security-groups',
    component: lazyRouteComponent(() => import('./list.tsx'), 'SecurityGroupsPage'),
  }),
  detailRoute.addChildren([historyTab(detailRoute)]),
] as const;
