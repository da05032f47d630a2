import { useQuery } from '@tanstack/react-query';

import { dataOf, type Acl } from '@unikorn/sdk';

import { useApi } from './context.tsx';

/** The names of areas in access lists. The API has them as plain strings, so this is the only place that knows them. */
export type Area =
  | 'compute:instances'
  | 'region:networks:v2'
  | 'region:securitygroups:v2'
  | 'region:loadbalancers:v2'
  | 'region:filestorage:v2'
  | 'region:filestorageclass:v2'
  | 'region:sshcertificateauthorities:v2'
  | 'region:images'
  | 'region:regions'
  | 'region:regions/simulation'
  | 'region:flavors'
  | 'identity:organizations'
  | 'identity:projects'
  | 'identity:users'
  | 'identity:groups'
  | 'identity:roles'
  | 'identity:serviceaccounts'
  | 'identity:oauth2providers'
  | 'identity:oauth2clients'
  | 'identity:quotas'
  | 'core:sagas';

export type Verb = 'create' | 'read' | 'update' | 'delete';

export interface Rights {
  /** Whether the rights are known yet. Until then, nothing is offered. */
  readonly known: boolean;
  /** In the project, if one is named; otherwise in the organization. Rights of the platform count everywhere. */
  may(area: Area, verb: Verb, project?: string): boolean;
  /** Whether the user has any right in the project or the organization. Others get no page of it. */
  mayAnything(project?: string): boolean;
  /** On the whole platform. */
  mayGlobally(area: Area, verb: Verb): boolean;
}

type Endpoints = NonNullable<Acl['global']>;

function allows(endpoints: Endpoints | undefined, area: Area, verb: Verb): boolean {
  return endpoints?.some(({ name, operations }) => name === area && operations.includes(verb)) ?? false;
}

/** The rights of an access list. */
export function rightsOf(acl: Acl | undefined): Rights {
  return {
    known: acl !== undefined,
    may: (area, verb, project) =>
      allows(acl?.global, area, verb) ||
      allows(acl?.organization?.endpoints, area, verb) ||
      (acl?.projects ?? [])
        .filter(({ id }) => project === undefined || id === project)
        .some(({ endpoints }) => allows(endpoints, area, verb)),
    mayAnything: (project) =>
      [
        acl?.global,
        acl?.organization?.endpoints,
        ...(acl?.projects ?? [])
          .filter(({ id }) => project === undefined || id === project)
          .map((each) => each.endpoints),
      ].some((endpoints = []) => endpoints.length > 0),
    mayGlobally: (area, verb) => allows(acl?.global, area, verb),
  };
}

function aclKey(organization: string | undefined) {
  return ['acl', organization ?? ''] as const;
}

/** The access list of the user in an organization, or on the platform if none is named. */
export function useAcl(organization: string | undefined) {
  const { identity } = useApi();
  return useQuery({
    queryKey: aclKey(organization),
    queryFn: () =>
      organization === undefined
        ? dataOf(identity.GET('/api/v1/acl'))
        : dataOf(
            identity.GET('/api/v1/organizations/{organizationID}/acl', {
              params: { path: { organizationID: organization } },
            }),
          ),
    staleTime: 60_000,
  });
}

/** The rights of the user in an organization, or on the platform if none is named. */
export function useRights(organization: string | undefined): Rights {
  return rightsOf(useAcl(organization).data);
}
