import { useQueries } from '@tanstack/react-query';

import { dataOf } from '@unikorn/sdk';

import { useLive } from '../live/use-live.ts';
import { useApi } from '../session/context.tsx';

/** Finds the names of what uses a quota in an organization. An id without a known name is shown as it is. */
export function useResourceNames(organization: string): (id: string) => string {
  const { region } = useApi();
  const { items: instances } = useLive('instances', { organization });
  const query = { params: { query: { organizationID: [organization] } } };
  const lists = useQueries({
    queries: [
      { queryKey: ['networks', organization], queryFn: () => dataOf(region.GET('/api/v2/networks', query)) },
      { queryKey: ['filestorage', organization], queryFn: () => dataOf(region.GET('/api/v2/filestorage', query)) },
      { queryKey: ['loadbalancers', organization], queryFn: () => dataOf(region.GET('/api/v2/loadbalancers', query)) },
    ],
  });
  const all = [instances, ...lists.map(({ data }) => data ?? [])].flat();
  const names = new Map(all.map(({ metadata }) => [metadata.id, metadata.name]));
  return (id) => names.get(id) ?? id;
}
