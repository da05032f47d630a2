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
 * Whether the caller may hand a role on: it is not protected and they hold all of it themselves. For the project part
 * any one project will do, because nobody links a group to a project without being allowed to change that project.
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

/** Refuses to extend the reach of roles beyond what the caller holds. */
export function demandGrantable(acl: Acl, roles: readonly Role[], organizationId: string): void {
  const refused = roles.find((role) => !mayGrant(acl, role, organizationId));
  if (refused) throw new Problem('forbidden', `your roles do not allow you to grant the role ${refused.name}`);
}

/** The roles of these ids; unknown ones grant nothing, so there is nothing to check about them. */
export function knownRoles(roles: RoleCatalogue, ids: readonly string[]): readonly Role[] {
  return ids.flatMap((id) => roles.get(id) ?? []);
}
