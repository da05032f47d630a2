import { createRootRoute, createRoute, lazyRouteComponent, type AnyRoute } from '@tanstack/react-router';

import { Home } from './shell/home.tsx';
import { Crashed, NotFound, Shell } from './shell/shell.tsx';

/** The places that pages hang on. A noun creates its routes below one of these. */
export const rootRoute = createRootRoute({ component: Shell, notFoundComponent: NotFound, errorComponent: Crashed });

export const homeRoute = createRoute({ getParentRoute: () => rootRoute, path: '/', component: Home });

/** The pages of a project. */
export const projectRoute = createRoute({ getParentRoute: () => rootRoute, path: '/o/$org/p/$project' });

/** The pages of an organization. */
export const organizationRoute = createRoute({ getParentRoute: () => rootRoute, path: '/o/$org' });

/** The pages of the operators. */
export const platformRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/platform',
  component: lazyRouteComponent(() => import('./platform/pages.tsx'), 'PlatformPages'),
});

export const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./shell/settings.tsx'), 'Settings'),
});

/** The tab with the history of a resource. The page of the resource draws it. */
export function historyTab<Parent extends AnyRoute>(parent: Parent) {
  return createRoute({ getParentRoute: () => parent, path: 'history' });
}
