import { useQuery } from '@tanstack/react-query';

import { dataOf, type FileStorageClass } from '@unikorn/sdk';

import { useApi } from '../session/context.tsx';

/** The storage classes of all regions. */
export function useStorageClasses() {
  const { region } = useApi();
  return useQuery({
    queryKey: ['filestorageclasses'],
    queryFn: (): Promise<readonly FileStorageClass[]> => dataOf(region.GET('/api/v2/filestorageclasses')),
    staleTime: 60_000,
  });
}
