import { type Acl, type Endpoint, type Operation, type OrganizationAccess } from '@unikorn/core/access';

import type { Group, Project } from '../kinds/index.ts';
import type { Role } from './roles.ts';

/** The subject whose permissions are computed. */
export type AclSubject =
  { readonly type: 'user'; readonly subject: string } | { readonly type: 'service'; readonly serviceAccountId: string };

/** The data from which permissions are computed. The cost of a query depends on the size of its result. */
export interface AclView {
  /** The existing organizations in which the subject has an active membership. */
  organizationsOf(subject: AclSubject): readonly string[];
  groupsOf(subject: AclSubject, organizationId: string): readonly Group[];
  projectsOf(groupId: string): readonly Project[];
  /** Undefined for a role that does not exist, or no longer exists. An implementation may count this. */
  role(id: string): Role | undefined;
  /** Platform-wide roles of the subject. They replace all other roles. */
  globalRoles(subject: AclSubject): readonly Role[];
}

/** The permissions of a subject in these organizations. `within` may return a cached result. */
export function buildAcl(
  subject: AclSubject,
  view: AclView,
  organizationIds = view.organizationsOf(subject),
  within = (organizationId: string) => buildOrganizationAccess(subject, organizationId, view),
): Acl {
  const bound = view.globalRoles(subject);
  if (bound.length > 0) return everywhere(bound);
  const organizations = organizationIds.flatMap((id) => within(id) ?? []);
  return organizations.length > 0 ? { organizations } : {};
}

const bindings = new WeakMap<readonly Role[], Acl>();

/** Roles are defined by the configuration, so their permissions are computed once. */
function everywhere(bound: readonly Role[]): Acl {
  const acl = bindings.get(bound) ?? { global: union(bound.map(({ scopes }) => scopes.global)) };
  bindings.set(bound, acl);
  return acl;
}

/** The permissions of a subject in one organization; undefined if there are none. */
export function buildOrganizationAccess(
  subject: AclSubject,
  organizationId: string,
  view: AclView,
): OrganizationAccess | undefined {
  const groups = view
    .groupsOf(subject, organizationId)
    .map((group) => ({ id: group.metadata.name, roles: group.spec.roleIDs.flatMap((id) => view.role(id) ?? []) }));
  const endpoints = union(groups.flatMap(({ roles }) => roles.map(({ scopes }) => scopes.organization)));
  const projects = projectAccess(groups, view);
  if (endpoints.length === 0 && projects.length === 0) return undefined;
  return {
    id: organizationId,
    ...(endpoints.length > 0 ? { endpoints } : {}),
    ...(projects.length > 0 ? { projects } : {}),
  };
}

type GroupRoles = { readonly id: string; readonly roles: readonly Role[] };
type ProjectAccess = NonNullable<OrganizationAccess['projects']>[number];

/**
 * Projects that are reached through the same groups share one list of endpoints, so ten thousand projects cost only ten
 * thousand ids.
 */
function projectAccess(groups: readonly GroupRoles[], view: AclView): readonly ProjectAccess[] {
  const reached = new Map<string, GroupRoles[]>();
  for (const group of groups) {
    for (const { metadata } of view.projectsOf(group.id)) {
      const through = reached.get(metadata.name);
      if (through) through.push(group);
      else reached.set(metadata.name, [group]);
    }
  }
  const shared = new Map<string, readonly Endpoint[]>();
  return [...reached].sort(byId).flatMap(([id, through]) => {
    const key = through.map((group) => group.id).join(' ');
    const endpoints =
      shared.get(key) ?? union(through.flatMap(({ roles }) => roles.map(({ scopes }) => scopes.project)));
    shared.set(key, endpoints);
    return endpoints.length > 0 ? [{ id, endpoints }] : [];
  });
}

function byId([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}

/** By endpoint: all operations that at least one of the lists grants. */
function union(lists: readonly (readonly Endpoint[])[]): readonly Endpoint[] {
  const merged = new Map<string, Set<Operation>>();
  for (const { name, operations } of lists.flat()) {
    const known = merged.get(name) ?? new Set();
    for (const operation of operations) known.add(operation);
    merged.set(name, known);
  }
  return [...merged].map(([name, operations]) => ({ name, operations: [...operations] }));
}

/** The part of an access list for these organizations. */
export function withinOrganizations(acl: Acl, organizationIds: readonly string[]): Acl {
  const organizations = acl.organizations?.filter(({ id }) => organizationIds.includes(id)) ?? [];
  return { ...(acl.global ? { global: acl.global } : {}), ...(organizations.length > 0 ? { organizations } : {}) };
}
