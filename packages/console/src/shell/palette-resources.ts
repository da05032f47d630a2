import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';

import { dataOf, type Instance, type Organization, type Project, type Unikorn } from '@unikorn/sdk';

import { limits, waits } from '../limits.ts';
import { useLive } from '../live/use-live.ts';
import type { IconName } from '../parts/icon.tsx';
import { perObject } from '../parts/per-object.ts';
import { useSettled } from '../parts/settled.ts';
import { useApi } from '../session/context.tsx';
import { useRights, type Area } from '../session/rights.ts';
import { words } from '../words/index.ts';
import { keysOf } from './palette-search.ts';
import { useOrganizations, useProjects } from './tenancy.ts';

const { areas } = words.shell;

/** A resource that the palette finds by name, id or address. */
export interface FoundResource {
  readonly id: string;
  readonly name: string;
  readonly icon: IconName;
  readonly page: string;
  /** The filter of the page, for resources without a page of their own. */
  readonly filter?: string;
  readonly addresses: readonly string[];
  /** What it is, where the place does not say it. */
  readonly what?: string;
  /** Undefined for what belongs to the whole platform. */
  readonly organizationId?: string;
  readonly projectId?: string;
}

/** Where the user is. */
export interface PalettePlace {
  readonly organization: string | undefined;
  readonly project: string | undefined;
}

interface Reading {
  readonly resources: readonly FoundResource[];
  /** Whether there are more than were read. */
  readonly isPart: boolean;
}

interface Listed {
  readonly metadata: {
    readonly id: string;
    readonly name: string;
    readonly organizationId: string;
    readonly projectId: string;
  };
}

interface Paging {
  limit: number;
  continue?: string;
}

interface Query extends Paging, Searching {
  organizationID?: string[];
}

interface Searching {
  search?: string;
}

/** A list that the palette reads: its first pages, or what the service finds in it. */
interface Source {
  readonly key: readonly string[];
  /** Whether the user may read it. */
  readonly isOffered: boolean;
  readonly read: (search: Searching) => Promise<Reading>;
}

/** One page of a list, as the SDK gives it. */
type Page<Item> = Promise<{ readonly data?: readonly Item[]; readonly response: Response }>;
type ReadPage<Item> = (api: Unikorn, query: Query) => Page<Item>;

const foundInstance = perObject((instance: Instance) =>
  foundIn('instances', 'instances', instance, [instance.status.privateIP, instance.status.publicIP]),
);

/** The kinds of resources of projects. */
const kinds = [
  kind('instances', ({ compute }, query) => compute.GET('/api/v2/instances', { params: { query } }), foundInstance),
  kind(
    'networks',
    ({ region }, query) => region.GET('/api/v2/networks', { params: { query } }),
    (network) => foundIn('networks', 'networks', network, [network.status.prefix]),
  ),
  kind(
    'security-groups',
    ({ region }, query) => region.GET('/api/v2/securitygroups', { params: { query } }),
    (group) => foundIn('security-groups', 'securityGroups', group),
  ),
  kind(
    'load-balancers',
    ({ region }, query) => region.GET('/api/v2/loadbalancers', { params: { query } }),
    (balancer) =>
      foundIn('load-balancers', 'loadBalancers', balancer, [balancer.status.vipAddress, balancer.status.publicIP]),
  ),
  kind(
    'file-storage',
    ({ region }, query) => region.GET('/api/v2/filestorage', { params: { query } }),
    (storage) => foundIn('file-storage', 'fileStorage', storage),
  ),
  kind(
    'ssh-authorities',
    ({ region }, query) => region.GET('/api/v2/sshcertificateauthorities', { params: { query } }),
    (authority) => foundIn('ssh-authorities', 'sshAuthorities', authority),
  ),
] as const;

function foundIn(
  noun: string,
  icon: IconName,
  { metadata: { id, name, organizationId, projectId } }: Listed,
  addresses: readonly (string | undefined)[] = [],
): FoundResource {
  return {
    ...{ id, name, icon, organizationId, projectId },
    page: `/o/${organizationId}/p/${projectId}/${noun}/${id}`,
    addresses: addresses.filter((address) => address !== undefined),
  };
}

function kind<Item>(noun: string, read: ReadPage<Item>, found: (item: Item) => FoundResource) {
  return {
    noun,
    read: async (api: Unikorn, organization: string | undefined, search: Searching): Promise<Reading> => {
      const scope = organization === undefined ? {} : { organizationID: [organization] };
      const { items, isPart } = await firstPages((query) => read(api, { ...scope, ...query }), search);
      return { resources: items.map(found), isPart };
    },
  };
}

/**
 * The first pages of a list, which are often all of it, so that each letter finds something at once. A search is one
 * page: it finds more than the palette shows, or the user writes more.
 */
export async function firstPages<Item>(
  read: (query: Paging & Searching) => Page<Item>,
  search: Searching,
): Promise<{ readonly items: readonly Item[]; readonly isPart: boolean }> {
  const items: Item[] = [];
  let position: string | null = '';
  const pages = search.search === undefined ? limits.palettePages : 1;
  for (let page = 0; page < pages && position !== null; page += 1) {
    const { data = [], response } = await read({
      ...search,
      limit: limits.palettePage,
      ...(position === '' ? {} : { continue: position }),
    });
    items.push(...data);
    position = response.headers.get('continue');
  }
  return { items, isPart: position !== null };
}

/** The kinds of an organization. Each is found in its list, which is then limited to it. */
const organizationKinds: readonly OrganizationKind[] = [
  {
    ...{ area: 'identity:users', noun: 'users', icon: 'people', what: areas.users },
    read: async ({ identity }, at) => {
      const users = await dataOf(identity.GET('/api/v1/organizations/{organizationID}/users', at));
      return firstOf(users.map(({ metadata, spec }) => ({ metadata: { id: metadata.id, name: spec.subject } })));
    },
  },
  {
    ...{ area: 'identity:groups', noun: 'groups', icon: 'groups', what: areas.groups },
    read: ({ identity }, { params }) =>
      firstPages(
        (query) => identity.GET('/api/v1/organizations/{organizationID}/groups', { params: { ...params, query } }),
        params.query,
      ),
  },
  {
    ...{ area: 'identity:serviceaccounts', noun: 'service-accounts', icon: 'key', what: areas.serviceAccounts },
    read: async ({ identity }, at) =>
      firstOf(await dataOf(identity.GET('/api/v1/organizations/{organizationID}/serviceaccounts', at))),
  },
  {
    ...{ area: 'identity:oauth2providers', noun: 'login-providers', icon: 'login', what: areas.loginProviders },
    read: async ({ identity }, at) =>
      firstOf(await dataOf(identity.GET('/api/v1/organizations/{organizationID}/oauth2providers', at))),
  },
];

interface OrganizationKind {
  readonly area: Area;
  /** The part of the address of its list. */
  readonly noun: string;
  readonly icon: IconName;
  readonly what: string;
  readonly read: (
    api: Unikorn,
    at: { readonly params: { readonly path: { organizationID: string }; readonly query: Searching } },
  ) => Promise<Names>;
}

interface Names {
  readonly items: readonly { readonly metadata: { readonly id: string; readonly name: string } }[];
  readonly isPart: boolean;
}

/** What is kept of a list that the service only gives as a whole. */
function firstOf(all: Names['items']): Names {
  const most = limits.palettePages * limits.palettePage;
  return { items: all.slice(0, most), isPart: all.length > most };
}

async function namedIn(
  api: Unikorn,
  organizationId: string,
  { noun, icon, what, read }: OrganizationKind,
  query: Searching,
): Promise<Reading> {
  const { items, isPart } = await read(api, { params: { path: { organizationID: organizationId }, query } });
  const page = `/o/${organizationId}/${noun}`;
  const resources = items.map(({ metadata: { id, name } }) => ({
    ...{ id, name, icon, page, filter: name, what, organizationId, addresses: [] },
  }));
  return { resources, isPart };
}

/** The kinds of the platform. */
const platformKinds: readonly PlatformKind[] = [
  {
    area: 'region:regions',
    read: async ({ region }, query) => firstOf(await dataOf(region.GET('/api/v2/regions', { params: { query } }))),
    found: ({ id }) => ({ icon: 'regions', what: areas.regions, page: `/platform/regions/${id}` }),
  },
  {
    area: 'region:filestorageclass:v2',
    read: async ({ region }) => firstOf(await dataOf(region.GET('/api/v2/filestorageclasses'))),
    found: ({ name }) => ({
      icon: 'fileStorage',
      what: areas.storageClasses,
      page: '/platform/storage-classes',
      filter: name,
    }),
  },
];

interface PlatformKind {
  readonly area: Area;
  readonly read: (api: Unikorn, query: Searching) => Promise<Names>;
  readonly found: (
    metadata: Names['items'][number]['metadata'],
  ) => Pick<FoundResource, 'icon' | 'what' | 'page' | 'filter'>;
}

async function namedOnPlatform(api: Unikorn, { read, found }: PlatformKind, query: Searching): Promise<Reading> {
  const { items, isPart } = await read(api, query);
  const resources = items.map(({ metadata }) => ({
    ...found(metadata),
    id: metadata.id,
    name: metadata.name,
    addresses: [],
  }));
  return { resources, isPart };
}

/** What the palette shows of a resource, and by which texts it is found. */
export type Findable = FoundResource & { readonly hint: string; readonly keys: string };

/**
 * The resources of all projects that the user may see, nearest first. The instances of the project are followed. All
 * others are read once when the user begins to write, and not for each letter: those of the organization, and then
 * those of other organizations. The services search the lists that are longer than what was read.
 */
export function usePaletteResources(
  place: PalettePlace,
  text: string,
): { readonly resources: readonly Findable[]; readonly isPart: boolean } {
  const { organization, project } = place;
  const { items } = useLive('instances', place);
  const { organizations } = useOrganizations();
  const { projects } = useProjects(organization);
  const sources = useSources(place, organizations);
  const wanted = text.trim().length > 1;
  const lists = useQueries({
    queries: sources.map(({ key, isOffered, read }) => ({
      queryKey: ['palette', ...key],
      queryFn: () => read({}),
      enabled: wanted && isOffered,
      staleTime: 30_000,
    })),
  });
  const asked = askedWords(useSettled(text, waits.palette_ms));
  const searches = useQueries({
    queries: sources
      .filter((_, index) => lists[index]?.data?.isPart)
      .flatMap(({ key, read }) =>
        asked.map((search) => ({
          queryKey: ['palette', ...key, 'search', search],
          queryFn: () => read({ search }),
          staleTime: 30_000,
          placeholderData: keepPreviousData<Reading>,
        })),
      ),
  });
  const version = [...asked, ...[...lists, ...searches].map(({ dataUpdatedAt }) => dataUpdatedAt)].join();
  const resources = useMemo(() => {
    const read = [...lists, ...searches].flatMap(({ data }) => data?.resources ?? []);
    const all = [...items.map(foundInstance), ...placesOf(projects, organizations), ...read];
    const names = new Map([...projects, ...organizations].map(({ metadata }) => [metadata.id, metadata.name]));
    return nearestFirst(all, place).map((resource) => findable(resource, place, names));
  }, [items, projects, organizations, version, organization, project]);
  return { resources, isPart: searches.some(({ data }) => data?.isPart) };
}

/** The lists that the palette reads at this place. */
function useSources(
  { organization, project }: PalettePlace,
  organizations: readonly Organization[],
): readonly Source[] {
  const api = useApi();
  const rights = useRights(organization);
  const hasOthers = organizations.some(({ metadata }) => metadata.id !== organization);
  const scopes = [...(organization === undefined ? [] : [organization]), ...(hasOthers ? [undefined] : [])];
  return [
    ...scopes.flatMap((scope) =>
      kinds.map(({ noun, read }) => ({
        key: [noun, scope ?? 'all'],
        isOffered: true,
        read: (search: Searching) => read(api, scope, search),
      })),
    ),
    {
      key: ['images', organization ?? '', project ?? ''],
      isOffered: organization !== undefined && project !== undefined,
      read: () => imagesOf(api, organization ?? '', project ?? ''),
    },
    ...organizationKinds.map((each) => ({
      key: [each.noun, organization ?? ''],
      isOffered: organization !== undefined && rights.may(each.area, 'read'),
      read: (search: Searching) => namedIn(api, organization ?? '', each, search),
    })),
    ...platformKinds.map((each) => ({
      key: [each.area],
      isOffered: rights.mayGlobally(each.area, 'read'),
      read: (search: Searching) => namedOnPlatform(api, each, search),
    })),
  ];
}

/**
 * The words for which the services search: the longest ones, because they find the least. One of several words can be
 * that of a project, which only the page knows.
 */
export function askedWords(text: string): readonly string[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word.length > 1)
    .map((word) => word.slice(0, limits.searchLength));
  return [...new Set(words)].toSorted((one, other) => other.length - one.length).slice(0, limits.paletteWords);
}

/** With the name of its project, or organization, where it is another one than that of the page. */
function findable(resource: FoundResource, place: PalettePlace, names: ReadonlyMap<string, string>): Findable {
  const { id, name, addresses, what, organizationId = id, projectId = id } = resource;
  const elsewhere = [
    ...(organizationId === place.organization || organizationId === id ? [] : [names.get(organizationId)]),
    ...(projectId === place.project || projectId === id ? [] : [names.get(projectId)]),
    what,
  ].filter((each) => each !== undefined);
  const hint = [...addresses.slice(0, 1), ...elsewhere].join(' · ');
  return { ...resource, hint, keys: keysOf(name, hint, id, ...addresses) };
}

/** The images of an organization, which are shown in the list of the project. */
async function imagesOf({ compute, region }: Unikorn, organizationID: string, projectId: string): Promise<Reading> {
  const params = { path: { organizationID } };
  const regions = await dataOf(compute.GET('/api/v1/organizations/{organizationID}/regions', { params }));
  const lists = await Promise.all(
    regions.map(({ metadata }) =>
      dataOf(
        region.GET('/api/v2/regions/{regionID}/images', {
          params: { path: { regionID: metadata.id }, query: { organizationID: [organizationID] } },
        }),
      ),
    ),
  );
  const resources = lists.flat().map(({ metadata: { id, name } }) => ({
    ...{ id, name, addresses: [], filter: name, organizationId: organizationID, projectId },
    icon: 'images' as const,
    page: `/o/${organizationID}/p/${projectId}/images`,
  }));
  return { resources, isPart: false };
}

/** Projects and organizations, which the shell has read already. */
function placesOf(projects: readonly Project[], organizations: readonly Organization[]): readonly FoundResource[] {
  return [
    ...projects.map(({ metadata: { id, name, organizationId } }) => ({
      ...{ id, name, organizationId, addresses: [] },
      icon: 'projects' as const,
      page: `/o/${organizationId}/p/${id}/instances`,
    })),
    ...organizations.map(({ metadata: { id, name } }) => ({
      ...{ id, name, organizationId: id, addresses: [] },
      icon: 'organizations' as const,
      page: `/o/${id}/projects`,
    })),
  ];
}

/** Each resource once: those of the project first, then those of its organization, then all others. */
export function nearestFirst(
  resources: readonly FoundResource[],
  { organization, project }: PalettePlace,
): readonly FoundResource[] {
  const distance = ({ organizationId, projectId }: FoundResource) =>
    organizationId !== organization ? 2 : projectId !== project ? 1 : 0;
  const once = new Map<string, FoundResource>();
  for (const resource of resources) if (!once.has(resource.id)) once.set(resource.id, resource);
  return [...once.values()].toSorted((one, other) => distance(one) - distance(other));
}
