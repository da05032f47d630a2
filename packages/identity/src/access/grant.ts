import {
  allowsGlobal,
  allowsOrganization,
  allowsProject,
  type Acl,
  type Endpoint,
  type Operation,
} from '@unikorn/core/access';
import { Problem } from '@unikorn/core/errors';

import type { Role, RoleCatalogue } from './roles.ts';

type Check = (endpoint: string, operation: Operation) => boolean;

function all(endpoints: readonly Endpoint[], check: Check): boolean {
  return endpoints.every(({ name, operations }) => operations.every((operation) => check(name, operation)));
}

/**
 * Whether the caller may grant a role: it is not protected, and the caller has all of its permissions. For the project
 * part, permissions in any one project are enough, because linking a group to a project needs the permission to change
 * that project.
 */
export function mayGrant(acl: Acl, role: Role, organizationId: string): boolean {
  const projects = acl.organizations?.find(({ id }) => id === organizationId)?.projects ?? [];
  const somewhere: Check = (endpoint, operation) =>
    allowsOrganization(acl, endpoint, operation, organizationId) ||
    projects.some(({ id }) => allowsProject(acl, endpoint, operation, organizationId, id));
  return (
    !role.protected &&
    all(role.scopes.global, (endpoint, operation) => allowsGlobal(acl, endpoint, operation)) &&
    all(role.scopes.organization, (endpoint, operation) =>
      allowsOrganization(acl, endpoint, operation, organizationId),
    ) &&
    all(role.scopes.project, somewhere)
  );
}

/** Refuses to grant permissions that the caller does not have. */
export function demandGrantable(acl: Acl, roles: readonly Role[], organizationId: string): void {
  const refused = roles.find((role) => !mayGrant(acl, role, organizationId));
  if (refused) throw new Problem('forbidden', `your roles do not allow you to grant the role ${refused.name}`);
}

/** The roles with these ids. Unknown roles grant nothing, so they are not checked. */
export function knownRoles(roles: RoleCatalogue, ids: readonly string[]): readonly Role[] {
  return ids.flatMap((id) => roles.get(id) ?? []);
}
