import type { Acl } from '@unikorn/sdk';

export const operations = ['create', 'read', 'update', 'delete'] as const;
export type Operation = (typeof operations)[number];

type Endpoints = NonNullable<Acl['global']>;

/**
 * Where somebody asks whether they may do something. Without a project: anywhere in the organization; without an
 * organization: anywhere.
 */
export interface Where {
  readonly organizationId?: string | undefined;
  readonly projectId?: string | undefined;
}

/** How far a right reaches, or that there is none. */
export type Reach = 'everywhere' | 'in the organization' | 'in the project' | 'nowhere';

/** Where the access list grants an operation: the widest scope that covers the place that was asked about. */
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

/** Every endpoint that the access list names anywhere. */
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
