import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';

import { dataOf, type RegionChecks, type RegionPaths } from '@unikorn/sdk';

import { useApi } from '../../session/context.tsx';

export type Knobs =
  RegionPaths['/api/v2/regions/{regionID}/simulation']['get']['responses'][200]['content']['application/json'];

export type RegionSettings =
  RegionPaths['/api/v2/regions/{regionID}/settings']['get']['responses'][200]['content']['application/json'];

type Api = ReturnType<typeof useApi>;

function simulationKey(id: string) {
  return ['simulation', id] as const;
}

function simulationQuery({ region }: Api, id: string) {
  return {
    queryKey: simulationKey(id),
    queryFn: (): Promise<Knobs> =>
      dataOf(region.GET('/api/v2/regions/{regionID}/simulation', { params: { path: { regionID: id } } })),
    refetchInterval: 5_000,
  };
}

/** The settings of a simulated region; another operator may change them, so they are read again. */
export function useSimulation(id: string, enabled = true) {
  return useQuery({ ...simulationQuery(useApi(), id), enabled });
}

/** The settings of several simulated regions, by id. */
export function useSimulations(ids: readonly string[]): ReadonlyMap<string, Knobs | undefined> {
  const api = useApi();
  const answers = useQueries({ queries: ids.map((id) => simulationQuery(api, id)) });
  return new Map(ids.map((id, index) => [id, answers[index]?.data]));
}

/** Changes settings of a simulated region. The new ones are shown when the service has answered with them. */
export function useTurn(id: string) {
  const { region } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (changes: Partial<Knobs>): Promise<Knobs> =>
      dataOf(
        region.PUT('/api/v2/regions/{regionID}/simulation', { params: { path: { regionID: id } }, body: changes }),
      ),
    onSuccess: (knobs) => {
      queries.setQueryData(simulationKey(id), knobs);
    },
  });
}

/** The connection and the organizations of a region. */
export function useSettings(id: string, enabled = true) {
  const { region } = useApi();
  return useQuery({
    queryKey: ['region-settings', id],
    queryFn: (): Promise<RegionSettings> =>
      dataOf(region.GET('/api/v2/regions/{regionID}/settings', { params: { path: { regionID: id } } })),
    refetchInterval: 15_000,
    enabled,
  });
}

/** The last check of a region in this tab. It is made only when somebody asks for it: it makes many calls. */
export function useCheck(id: string) {
  const { region } = useApi();
  return useQuery({
    queryKey: ['region-check', id],
    queryFn: (): Promise<RegionChecks> =>
      dataOf(region.POST('/api/v2/regions/{regionID}/check', { params: { path: { regionID: id } } })),
    enabled: false,
    gcTime: Infinity,
    staleTime: Infinity,
    retry: false,
  });
}

export function lackingOf(checks: RegionChecks): number {
  return checks.filter(({ state }) => state === 'missing' || state === 'unknown').length;
}

/** The flavors that a region offers. The service itself may answer with a list that is a second old. */
export function useRegionFlavors(id: string, enabled = true) {
  const { region } = useApi();
  return useQuery({
    queryKey: ['region-flavors', id],
    queryFn: () => dataOf(region.GET('/api/v2/regions/{regionID}/flavors', { params: { path: { regionID: id } } })),
    refetchInterval: 10_000,
    enabled: enabled && id !== '',
  });
}

export function useStorageClasses() {
  const { region } = useApi();
  return useQuery({
    queryKey: ['storage-classes'],
    queryFn: () => dataOf(region.GET('/api/v2/filestorageclasses')),
    refetchInterval: 15_000,
  });
}
