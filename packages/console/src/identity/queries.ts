import { useQuery, useQueryClient } from '@tanstack/react-query';

import { dataOf, type Group, type Role, type ServiceAccount, type User } from '@unikorn/sdk';

import { useApi } from '../session/context.tsx';

const staleTime = 10_000;

function keyOf(noun: 'users' | 'roles' | 'serviceaccounts' | 'oauth2providers', organization: string) {
  return [noun, organization] as const;
}

const inOrganization = (organizationID: string) => ({ params: { path: { organizationID } } });

export function useUsers(organization: string) {
  const { identity } = useApi();
  return useQuery({
    queryKey: keyOf('users', organization),
    queryFn: (): Promise<readonly User[]> =>
      dataOf(identity.GET('/api/v1/organizations/{organizationID}/users', inOrganization(organization))),
    staleTime,
    refetchInterval: 15_000,
  });
}

export function useRoles(organization: string) {
  const { identity } = useApi();
  return useQuery({
    queryKey: keyOf('roles', organization),
    queryFn: (): Promise<readonly Role[]> =>
      dataOf(identity.GET('/api/v1/organizations/{organizationID}/roles', inOrganization(organization))),
    staleTime: 60_000,
  });
}

export function useServiceAccounts(organization: string) {
  const { identity } = useApi();
  return useQuery({
    queryKey: keyOf('serviceaccounts', organization),
    queryFn: (): Promise<readonly ServiceAccount[]> =>
      dataOf(identity.GET('/api/v1/organizations/{organizationID}/serviceaccounts', inOrganization(organization))),
    staleTime,
    refetchInterval: 15_000,
  });
}

export function useLoginProviders(organization: string) {
  const { identity } = useApi();
  return useQuery({
    queryKey: keyOf('oauth2providers', organization),
    queryFn: () =>
      dataOf(identity.GET('/api/v1/organizations/{organizationID}/oauth2providers', inOrganization(organization))),
    staleTime,
  });
}

export type LoginProvider = NonNullable<ReturnType<typeof useLoginProviders>['data']>[number];

/** Reads the lists of an organization again that are not followed, after something was changed. */
export function useRefresh(organization: string): () => Promise<unknown> {
  const queries = useQueryClient();
  return () =>
    Promise.all(
      (['users', 'serviceaccounts', 'oauth2providers', 'projects'] as const).map((noun) =>
        queries.invalidateQueries({ queryKey: [noun, organization] }),
      ),
    );
}

/** The path of the objects of an organization. */
export function pathOf(organization: string, noun: string): string {
  return `/identity/api/v1/organizations/${organization}/${noun}`;
}

/** The names of groups, in the order of their names. */
export function groupNames(groups: readonly Group[], ids: readonly string[]): readonly string[] {
  return groups
    .filter(({ metadata }) => ids.includes(metadata.id))
    .map(({ metadata }) => metadata.name)
    .toSorted();
}
