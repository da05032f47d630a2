import { createRouter } from '@tanstack/react-router';

import { instanceRoutes, instanceLookupRoute } from './instance/routes.tsx';
import { homeRoute, organizationRoute, platformRoute, projectRoute, rootRoute, settingsRoute } from './places.tsx';

/** All pages. A noun adds its routes to the place that they belong to. */
const routeTree = rootRoute.addChildren([
  homeRoute,
  settingsRoute,
  instanceLookupRoute,
  projectRoute.addChildren([...instanceRoutes]),
  organizationRoute.addChildren([]),
  platformRoute.addChildren([]),
]);

export const router = createRouter({
  routeTree,
  basepath: '/console',
  scrollRestoration: true,
  defaultPreload: 'intent',
  defaultStructuralSharing: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
