import { useQueries } from '@tanstack/react-query';

import { dataOf, type Unikorn } from '@unikorn/sdk';

import type { IconName } from '../parts/icon.tsx';
import { useApi } from '../session/context.tsx';

/** A resource that the palette finds by name, id or address. */
export interface FoundResource {
  readonly id: string;
  readonly name: string;
  readonly icon: IconName;
  readonly page: string;
  readonly addresses: readonly string[];
}

interface Listed {
  readonly metadata: {
    readonly id: string;
    readonly name: string;
    readonly organizationId: string;
    readonly projectId: string;
  };
}

/** Kinds of which an organization has few. Instances are in the live list of the project. */
const kinds = [
  kind(
    'networks',
    'networks',
    ({ region }, query) => dataOf(region.GET('/api/v2/networks', { params: { query } })),
    ({ status }) => [status.prefix],
  ),
  kind('security-groups', 'securityGroups', ({ region }, query) =>
    dataOf(region.GET('/api/v2/securitygroups', { params: { query } })),
  ),
  kind(
    'load-balancers',
    'loadBalancers',
    ({ region }, query) => dataOf(region.GET('/api/v2/loadbalancers', { params: { query } })),
    ({ status }) => [status.vipAddress, status.publicIP].filter((address) => address !== undefined),
  ),
  kind('file-storage', 'fileStorage', ({ region }, query) =>
    dataOf(region.GET('/api/v2/filestorage', { params: { query } })),
  ),
] as const;

interface Query {
  organizationID: string[];
}

function kind<Item extends Listed>(
  noun: string,
  icon: IconName,
  list: (api: Unikorn, query: Query) => Promise<readonly Item[]>,
  addressesOf: (item: Item) => readonly string[] = () => [],
) {
  return {
    noun,
    read: async (api: Unikorn, organization: string): Promise<readonly FoundResource[]> => {
      const items = await list(api, { organizationID: [organization] });
      return items.map((item) => {
        const { id, name, organizationId, projectId } = item.metadata;
        const page = `/o/${organizationId}/p/${projectId}/${noun}/${id}`;
        return { id, name, icon, page, addresses: addressesOf(item) };
      });
    },
  };
}

/** The resources of all projects of the organization, read when the user begins to write. */
export function usePaletteResources(organization: string | undefined, wanted: boolean): readonly FoundResource[] {
  const api = useApi();
  const lists = useQueries({
    queries: kinds.map(({ noun, read }) => ({
      queryKey: ['palette', noun, organization],
      queryFn: () => read(api, organization ?? ''),
      enabled: wanted && organization !== undefined,
      staleTime: 30_000,
    })),
  });
  return lists.flatMap(({ data }) => data ?? []);
}
