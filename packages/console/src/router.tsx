import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router';

import { activityRoutes, organizationActivityRoutes } from './activity/routes.tsx';
import { fileStorageRoutes } from './filestorage/routes.tsx';
import { identityRoutes } from './identity/routes.tsx';
import { imageRoutes } from './image/routes.tsx';
import { allInstancesRoute, instanceLookupRoute, instanceRoutes } from './instance/routes.tsx';
import { loadBalancerRoutes } from './loadbalancer/routes.tsx';
import { networkRoutes } from './network/routes.tsx';
import { homeRoute, organizationRoute, platformRoute, projectRoute, rootRoute, settingsRoute } from './places.tsx';
import { organizationSettingsRoute, platformRoutes } from './platform/routes.tsx';
import { quotaRoutes } from './quota/routes.tsx';
import { securityGroupRoutes } from './securitygroup/routes.tsx';
import { Crashed } from './shell/shell.tsx';
import { sshAuthorityRoutes } from './sshauthority/routes.tsx';

/** All pages. A noun adds its routes to the place that they belong to. */
const routeTree = rootRoute.addChildren([
  homeRoute,
  settingsRoute,
  instanceLookupRoute,
  projectRoute.addChildren([
    ...instanceRoutes,
    ...networkRoutes,
    ...securityGroupRoutes,
    ...loadBalancerRoutes,
    ...fileStorageRoutes,
    ...sshAuthorityRoutes,
    ...imageRoutes,
    ...activityRoutes,
  ]),
  organizationRoute.addChildren([
    allInstancesRoute,
    ...quotaRoutes,
    ...identityRoutes,
    ...organizationActivityRoutes,
    organizationSettingsRoute,
  ]),
  platformRoute.addChildren([...platformRoutes]),
]);

export const router = createRouter({
  routeTree,
  basepath: '/console',
  // Every parameter is a plain text, so that addresses stay readable.
  parseSearch: parseSearchWith((text) => text),
  stringifySearch: stringifySearchWith(String),
  scrollRestoration: true,
  defaultPreload: 'intent',
  // Each page has its own boundary, so that the frame stays when one fails.
  defaultErrorComponent: Crashed,
  defaultStructuralSharing: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
