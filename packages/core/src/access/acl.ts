import { Type, type Static } from 'typebox';

import { Problem } from '../errors/index.ts';
import type { DeepReadonly } from '../kinds/index.ts';

export const operations = ['create', 'read', 'update', 'delete'] as const;
export type Operation = (typeof operations)[number];

const Operations = Type.Array(
  Type.Union([Type.Literal('create'), Type.Literal('read'), Type.Literal('update'), Type.Literal('delete')]),
);
const Endpoint = Type.Object({ name: Type.String(), operations: Operations });
const ProjectAccess = Type.Object({ id: Type.String(), endpoints: Type.Array(Endpoint) });
const OrganizationAccess = Type.Object({
  id: Type.String(),
  endpoints: Type.Optional(Type.Array(Endpoint)),
  projects: Type.Optional(Type.Array(ProjectAccess)),
});

/** The permissions of a caller, in the wire format of identity. A wider scope includes the narrower ones. */
export const Acl = Type.Object({
  global: Type.Optional(Type.Array(Endpoint)),
  organizations: Type.Optional(Type.Array(OrganizationAccess)),
});
export type Acl = DeepReadonly<Static<typeof Acl>>;
export type Endpoint = DeepReadonly<Static<typeof Endpoint>>;
export type OrganizationAccess = DeepReadonly<Static<typeof OrganizationAccess>>;

/** The permissions of a caller without any role. */
export const noAccess: Acl = {};

function grants(endpoints: readonly Endpoint[] | undefined, endpoint: string, operation: Operation): boolean {
  return (
    endpoints?.some((candidate) => candidate.name === endpoint && candidate.operations.includes(operation)) ?? false
  );
}

type ProjectAccess = NonNullable<OrganizationAccess['projects']>[number];

/** An access list can name thousands of projects and is checked many times, so projects are looked up by id. */
const projectsById = new WeakMap<OrganizationAccess, ReadonlyMap<string, ProjectAccess>>();

function projectOf(organization: OrganizationAccess | undefined, projectId: string): ProjectAccess | undefined {
  if (!organization?.projects) return undefined;
  let projects = projectsById.get(organization);
  if (!projects) {
    projects = new Map(organization.projects.map((project) => [project.id, project]));
    projectsById.set(organization, projects);
  }
  return projects.get(projectId);
}

function organizationOf(acl: Acl, organizationId: string): OrganizationAccess | undefined {
  return acl.organizations?.find((organization) => organization.id === organizationId);
}

/**
 * Whether the caller may know that the organization exists: the caller has a role in it, or a global role.
 *
 * @example if (!knowsOrganization(acl, organizationId)) throw new Problem('not_found', 'network 4f… does not exist');
 */
export function knowsOrganization(acl: Acl, organizationId: string): boolean {
  return (acl.global?.length ?? 0) > 0 || organizationOf(acl, organizationId) !== undefined;
}

export function allowsGlobal(acl: Acl, endpoint: string, operation: Operation): boolean {
  return grants(acl.global, endpoint, operation);
}

export function allowsOrganization(acl: Acl, endpoint: string, operation: Operation, organizationId: string): boolean {
  return (
    allowsGlobal(acl, endpoint, operation) ||
    grants(organizationOf(acl, organizationId)?.endpoints, endpoint, operation)
  );
}

/** @example if (allowsProject(acl, 'compute:instances', 'read', organizationId, projectId)) return instance; */
export function allowsProject(
  acl: Acl,
  endpoint: string,
  operation: Operation,
  organizationId: string,
  projectId: string,
): boolean {
  if (allowsOrganization(acl, endpoint, operation, organizationId)) return true;
  return grants(projectOf(organizationOf(acl, organizationId), projectId)?.endpoints, endpoint, operation);
}

/**
 * Whether a caller may create something in a project that only the request body names. A right on the whole
 * organization does not show that the project exists, so the caller of this function must check that first.
 *
 * @example if (projectCreation(acl, 'region:networks:v2', organizationId, projectId) === 'allowed') return;
 */
export function projectCreation(
  acl: Acl,
  endpoint: string,
  organizationId: string,
  projectId: string,
): 'allowed' | 'allowed if the project exists' | 'refused' {
  const project = projectOf(organizationOf(acl, organizationId), projectId);
  if (grants(project?.endpoints, endpoint, 'create') || allowsGlobal(acl, endpoint, 'create')) return 'allowed';
  return allowsOrganization(acl, endpoint, 'create', organizationId) ? 'allowed if the project exists' : 'refused';
}

/**
 * Throws the `forbidden` problem unless the check succeeded.
 *
 * @example demand(allowsOrganization(acl, 'identity:groups', 'create', organizationId), 'identity:groups', 'create');
 */
export function demand(allowed: boolean, endpoint: string, operation: Operation): void {
  if (!allowed) throw new Problem('forbidden', `your roles do not allow ${operation} on ${endpoint} here`);
}
