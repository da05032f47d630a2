import type { Acl, Endpoint, OrganizationAccess } from './acl.ts';

const nothing: readonly Endpoint[] = [];

/**
 * Intersections that were computed before, by service. Lists are replaced and never changed, and many requests and
 * projects share the same list.
 */
const cuts = new WeakMap<readonly Endpoint[], WeakMap<readonly Endpoint[], readonly Endpoint[]>>();

/**
 * The permissions of a service that acts for a user: those of the user, limited to the operations that the service
 * itself has everywhere. A service therefore never gains by impersonating, and the user never gains by calling through
 * a service. Empty entries are left out.
 *
 * @example const acl = intersectAccess(userAcl, [{ name: 'region:networks:v2', operations: ['read'] }]);
 */
export function intersectAccess(user: Acl, service: readonly Endpoint[]): Acl {
  const known = cuts.get(service) ?? new WeakMap<readonly Endpoint[], readonly Endpoint[]>();
  cuts.set(service, known);
  const cut = (endpoints: readonly Endpoint[] = nothing): readonly Endpoint[] => {
    const left = known.get(endpoints) ?? common(endpoints, service);
    known.set(endpoints, left);
    return left;
  };

  const projectsOf = ({ projects = [] }: OrganizationAccess) =>
    projects
      .map(({ id, endpoints }) => ({ id, endpoints: cut(endpoints) }))
      .filter(({ endpoints }) => endpoints.length > 0);
  const global = cut(user.global);
  const organizations = (user.organizations ?? [])
    .map((organization) => ({
      id: organization.id,
      endpoints: cut(organization.endpoints),
      projects: projectsOf(organization),
    }))
    .filter(({ endpoints, projects }) => endpoints.length > 0 || projects.length > 0);
  return { ...(global.length > 0 ? { global } : {}), ...(organizations.length > 0 ? { organizations } : {}) };
}

/** The endpoints, limited to the operations that the service has too. */
function common(endpoints: readonly Endpoint[], service: readonly Endpoint[]): readonly Endpoint[] {
  const held = new Map<string, Set<string>>();
  for (const { name, operations } of service) held.set(name, new Set([...(held.get(name) ?? []), ...operations]));
  return endpoints
    .map(({ name, operations }) => ({
      name,
      operations: operations.filter((operation) => held.get(name)?.has(operation)),
    }))
    .filter(({ operations }) => operations.length > 0);
}
