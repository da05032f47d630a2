import { useQuery } from '@tanstack/react-query';

import { dataOf } from '@unikorn/sdk';

import { useApi } from '../../session/context.tsx';

/** What belongs to an organization, and is deleted with it. */
export function useContents(organization: string) {
  const { identity, compute } = useApi();
  const path = { organizationID: organization };
  return useQuery({
    queryKey: ['organization-contents', organization],
    queryFn: async () => {
      const [projects, people, instances, quotas] = await Promise.all([
        dataOf(identity.GET('/api/v1/organizations/{organizationID}/projects', { params: { path } })),
        dataOf(identity.GET('/api/v1/organizations/{organizationID}/users', { params: { path } })),
        dataOf(compute.GET('/api/v2/instances', { params: { query: { organizationID: [organization] } } })),
        dataOf(identity.GET('/api/v1/organizations/{organizationID}/quotas', { params: { path } })),
      ]);
      return { projects, people, instances, quotas: quotas.quotas };
    },
    refetchInterval: 5_000,
  });
}
