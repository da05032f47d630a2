import { useQuery } from '@tanstack/react-query';

import { dataOf } from '@unikorn/sdk';

import { useApi } from '../session/context.tsx';

/** The security groups of a network. */
export function useSecurityGroups(networkId: string) {
  const { region } = useApi();
  return useQuery({
    queryKey: ['securitygroups', networkId],
    queryFn: () => dataOf(region.GET('/api/v2/securitygroups', { params: { query: { networkID: [networkId] } } })),
    enabled: networkId !== '',
  });
}

/** The SSH authorities of a project. */
export function useSshAuthorities(org: string, project: string) {
  const { region } = useApi();
  return useQuery({
    queryKey: ['sshauthorities', org, project],
    queryFn: () =>
      dataOf(
        region.GET('/api/v2/sshcertificateauthorities', {
          params: { query: { organizationID: [org], projectID: [project] } },
        }),
      ),
  });
}
