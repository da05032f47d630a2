import type { Acl } from '@unikorn/sdk';

export const operations = ['create', 'read', 'update', 'delete'] as const;
export type Operation = (typeof operations)[number];

type Endpoints = NonNullable<Acl['global']>;

/**
 * The scope of a permission check. Without a project: anywhere in the organization. Without an organization: anywhere.
 */
export interface Where {
  readonly organizationId?: string | undefined;
  readonly projectId?: string | undefined;
}

/** The scope in which a permission applies. */
export type Reach = 'everywhere' | 'in the organization' | 'in the project' | 'nowhere';

/** The widest scope in which the access list grants an operation at this place. */
export function reachOf(acl: Acl, operation: Operation, endpoint: string, { organizationId, projectId }: Where): Reach {
  const grants = (endpoints: Endpoints = []) =>
    endpoints.some(({ name, operations: granted }) => name === endpoint && granted.includes(operation));
  if (grants(acl.global)) return 'everywhere';
  const organizations = (acl.organizations ?? []).filter(
    ({ id }) => organizationId === undefined || id === organizationId,
  );
  if (organizations.some(({ endpoints }) => grants(endpoints))) return 'in the organization';
  const projects = organizations
    .flatMap(({ projects: all = [] }) => all)
    .filter(({ id }) => projectId === undefined || id === projectId);
  return projects.some(({ endpoints }) => grants(endpoints)) ? 'in the project' : 'nowhere';
}

/** Every endpoint in the access list, in any scope. */
export function endpointsOf({ global = [], organizations = [] }: Acl): readonly string[] {
  const lists = [
    global,
    ...organizations.flatMap(({ endpoints = [], projects = [] }) => [
      endpoints,
      ...projects.map((project) => project.endpoints),
    ]),
  ];
  return [...new Set(lists.flat().map(({ name }) => name))].sort();
}
