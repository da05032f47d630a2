import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { dataOf, type Flavor, type Image, type Network } from '@unikorn/sdk';

import { shortened } from '../parts/copy.tsx';
import { useApi } from '../session/context.tsx';
import { useRights } from '../session/rights.ts';
import { words } from '../words/index.ts';

/** Catalogues change seldom. */
const staleTime = 5 * 60_000;

interface Named {
  readonly metadata: { readonly id: string; readonly name: string };
}

/** Finds the name of something by its id. Until it is known, the id is shown. */
export type NameOf = (id: string | undefined) => string;

export function namesOf(lists: readonly (readonly Named[])[]): NameOf {
  const names = new Map(lists.flat().map(({ metadata }) => [metadata.id, metadata.name]));
  return (id) => (id === undefined ? '' : (names.get(id) ?? id));
}

/** The regions that an organization can use. */
export function useRegions(organization: string) {
  const { compute } = useApi();
  return useQuery({
    queryKey: ['regions', organization],
    queryFn: () =>
      dataOf(
        compute.GET('/api/v1/organizations/{organizationID}/regions', {
          params: { path: { organizationID: organization } },
        }),
      ),
    staleTime,
    enabled: organization !== '',
  });
}

function flavorQuery(compute: ReturnType<typeof useApi>['compute'], organization: string, region: string) {
  return {
    queryKey: ['flavors', organization, region],
    queryFn: (): Promise<readonly Flavor[]> =>
      dataOf(
        compute.GET('/api/v1/organizations/{organizationID}/regions/{regionID}/flavors', {
          params: { path: { organizationID: organization, regionID: region } },
        }),
      ),
    staleTime,
    enabled: region !== '',
  };
}

export function imagesKey(organization: string, region: string) {
  return ['images', organization, region] as const;
}

/** The images of an organization in a region, and the public ones, in every state. */
export function imageQuery(api: ReturnType<typeof useApi>, organization: string, region: string) {
  return {
    queryKey: imagesKey(organization, region),
    queryFn: (): Promise<readonly Image[]> =>
      dataOf(
        api.region.GET('/api/v2/regions/{regionID}/images', {
          params: { path: { regionID: region }, query: { organizationID: [organization] } },
        }),
      ),
    staleTime: 30_000,
    enabled: region !== '',
  };
}

/** Images with preinstalled software are made for other services. */
export function hasSoftware({ softwareVersions = {} }: Pick<Image['spec'], 'softwareVersions'>): boolean {
  return Object.keys(softwareVersions).length > 0;
}

const usable = (images: readonly Image[]) =>
  images.filter(({ spec, status }) => status.state === 'ready' && !hasSoftware(spec));

export function useFlavors(organization: string, region: string) {
  const { compute } = useApi();
  return useQuery(flavorQuery(compute, organization, region));
}

/** The images from which an instance can be made. */
export function useImages(organization: string, region: string) {
  return useQuery({ ...imageQuery(useApi(), organization, region), select: usable });
}

/** The networks of a project, or of all projects that the user can see. */
export function useNetworks(organization: string, project: string | undefined) {
  const { region } = useApi();
  return useQuery({
    queryKey: ['networks', organization, project ?? ''],
    queryFn: (): Promise<readonly Network[]> =>
      dataOf(
        region.GET('/api/v2/networks', {
          params: {
            query: { organizationID: [organization], ...(project === undefined ? {} : { projectID: [project] }) },
          },
        }),
      ),
    staleTime: 15_000,
  });
}

export interface Names {
  readonly flavor: NameOf;
  readonly image: NameOf;
  readonly network: NameOf;
  readonly region: NameOf;
}

/** The names of what the instances of a project, or of all of them, refer to. */
export function useNames(organization: string, project: string | undefined, regions: readonly string[]): Names {
  const api = useApi();
  const { data: allRegions } = useRegions(organization);
  const { data: networks } = useNetworks(organization, project);
  const flavors = useQueries({ queries: regions.map((region) => flavorQuery(api.compute, organization, region)) });
  const images = useQueries({ queries: regions.map((region) => imageQuery(api, organization, region)) });
  const flavorLists = flavors.map(({ data }) => data ?? []);
  const imageLists = images.map(({ data }) => data ?? []);
  const version = [...flavors, ...images].map(({ dataUpdatedAt }) => dataUpdatedAt).join();
  return useMemo(
    () => ({
      flavor: namesOf(flavorLists),
      image: namesOf(imageLists),
      network: namesOf([networks ?? []]),
      region: namesOf([allRegions ?? []]),
    }),
    [version, networks, allRegions],
  );
}

/**
 * How people and programs of an organization are shown: people by their address, programs by the name of their service
 * account. An account of another organization, such as that of an operator, has no name here.
 */
export function useActorNames(organization: string): (actor: string) => string {
  const { identity } = useApi();
  const rights = useRights(organization);
  const { data } = useQuery({
    queryKey: ['serviceaccounts', organization],
    queryFn: () =>
      dataOf(
        identity.GET('/api/v1/organizations/{organizationID}/serviceaccounts', {
          params: { path: { organizationID: organization } },
        }),
      ),
    staleTime: 60_000,
    enabled: organization !== '' && rights.may('identity:serviceaccounts', 'read'),
  });
  const nameOf = namesOf([data ?? []]);
  return (actor) => {
    const name = nameOf(actor);
    return isId.test(name) ? words.parts.unknownAccount(shortened(name)) : name;
  };
}

const isId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
