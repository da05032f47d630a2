import { useMutation, useQuery, useQueryClient, type UseMutationResult } from '@tanstack/react-query';

import { dataOf, type Group, type Role, type ServiceAccount, type User } from '@unikorn/sdk';

import { useApi } from '../session/context.tsx';
import type { Sent } from '../shell/same.tsx';

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

/** A request that changes something of an organization. Lists that are not followed are read again afterwards. */
export function useChange<Input, Output>(
  organization: string,
  change: (input: Input) => Promise<Output>,
  onDone?: (output: Output) => void,
): UseMutationResult<Output, Error, Input> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (output) => {
      await Promise.all(
        (['users', 'serviceaccounts', 'oauth2providers', 'projects'] as const).map((noun) =>
          queries.invalidateQueries({ queryKey: [noun, organization] }),
        ),
      );
      onDone?.(output);
    },
  });
}

/**
 * One object of a list, for kinds that cannot be read alone. It has no version, so that only a change of another user
 * between this request and the write is not noticed.
 */
export async function itemOf<Item extends { readonly metadata: { readonly id: string } }>(
  list: Promise<{ data?: Item[] }>,
  id: string,
): Promise<{ readonly data: Item | undefined }> {
  const { data = [] } = await list;
  return { data: data.find(({ metadata }) => metadata.id === id) };
}

/** The request that creates or changes something of an organization. */
export function sentTo(organization: string, noun: string, id: string | undefined, body: object): Sent {
  const path = `/identity/api/v1/organizations/${organization}/${noun}`;
  return id === undefined ? { method: 'POST', path, body } : { method: 'PUT', path: `${path}/${id}`, body };
}

/** The names of groups, in the order of their names. */
export function groupNames(groups: readonly Group[], ids: readonly string[]): readonly string[] {
  return groups
    .filter(({ metadata }) => ids.includes(metadata.id))
    .map(({ metadata }) => metadata.name)
    .toSorted();
}
