import { useQuery } from '@tanstack/react-query';

import { ApiError, dataOf, type Organization, type Project } from '@unikorn/sdk';

import { useApi } from '../session/context.tsx';

/** The organizations of the user. Plain users may list them, but not read a single one. */
export function useOrganizations(): {
  readonly organizations: readonly Organization[];
  readonly isPending: boolean;
  readonly error: Error | null;
} {
  const { identity } = useApi();
  const {
    data = [],
    isPending,
    error,
  } = useQuery({
    queryKey: ['organizations'],
    queryFn: () => dataOf(identity.GET('/api/v1/organizations')),
    staleTime: 30_000,
  });
  return { organizations: data, isPending, error };
}

export function useProjects(organization: string | undefined): {
  readonly projects: readonly Project[];
  readonly isPending: boolean;
  readonly error: Error | null;
} {
  const { identity } = useApi();
  const {
    data = [],
    isPending,
    error,
  } = useQuery({
    queryKey: ['projects', organization],
    queryFn: () =>
      dataOf(
        identity.GET('/api/v1/organizations/{organizationID}/projects', {
          params: { path: { organizationID: organization ?? '' } },
        }),
      ),
    enabled: organization !== undefined,
    staleTime: 30_000,
  });
  return { projects: data, isPending, error };
}

/** Whether a project does not exist, or not any more. */
export function useIsMissing(organization = '', project: string | undefined): boolean {
  const { identity } = useApi();
  const { error } = useQuery({
    queryKey: ['project', organization, project],
    queryFn: () =>
      dataOf(
        identity.GET('/api/v1/organizations/{organizationID}/projects/{projectID}', {
          params: { path: { organizationID: organization, projectID: project ?? '' } },
        }),
      ),
    enabled: project !== undefined,
    staleTime: 30_000,
    refetchInterval: 60_000,
  });
  return error instanceof ApiError && error.status === 404;
}
