import { createRoute, lazyRouteComponent } from '@tanstack/react-router';

import { listSearch } from '../parts/list-state.ts';
import { projectRoute } from '../places.tsx';

const common = { getParentRoute: () => projectRoute, validateSearch: listSearch } as const;

export const securityGroupRoutes = [
  createRoute({
    ...common,
    path: 'security-groups',
    component: lazyRouteComponent(() => import('./list.tsx'), 'SecurityGroupsPage'),
  }),
  createRoute({
    ...common,
    path: 'security-groups/$id',
    component: lazyRouteComponent(() => import('./detail.tsx'), 'SecurityGroupPage'),
  }),
] as const;
