import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';

import { dataOf, type Instance } from '@unikorn/sdk';

import { namesOf, useNames, type NameOf, type Names } from '../../catalog/catalog.ts';
import { NothingShown, RegionChip, useRowsOfRegion } from '../../catalog/region-filter.tsx';
import { failureOf } from '../../live/hub.ts';
import { useLive } from '../../live/use-live.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton, Identifier } from '../../parts/copy.tsx';
import { useCounts } from '../../parts/counting.ts';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Menu, MenuCheck } from '../../parts/menu.tsx';
import { perObject } from '../../parts/per-object.ts';
import { Page } from '../../parts/page.tsx';
import { afterAMoment } from '../../parts/skeleton.tsx';
import { Problem } from '../../parts/problem.tsx';
import type { RawSearch } from '../../parts/search.ts';
import { Status } from '../../parts/status.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { Age } from '../../parts/time.tsx';
import { useApi } from '../../session/context.tsx';
import { useRights } from '../../session/rights.ts';
import { useProjects } from '../../shell/tenancy.ts';
import { words } from '../../words/index.ts';
import type { InstanceColumn, InstanceListSearch } from '../routes.tsx';
import { instanceCondition, stateFilters, type StateFilter } from '../../parts/instance-status.ts';
import { BulkActions } from './bulk.tsx';
import { CreateButton, EmptyOrganization, EmptyProject } from './empty.tsx';
import { FilterMenu } from './filter-menu.tsx';
import { matching, properties, type Filters, type Property } from './filters.ts';

const texts = words.instance;

/** The instances of a project, live. */
export function InstanceListPage() {
  const { org, project } = useParams({ from: '/o/$org/p/$project/instances' });
  return <InstanceList org={org} project={project} />;
}

/** The instances of all projects of an organization, live. */
export function AllInstancesPage() {
  const { org } = useParams({ from: '/o/$org/instances' });
  return <InstanceList org={org} />;
}

/** Without a project, the list has those of all projects that the user can see. */
function InstanceList({ org, project }: { readonly org: string; readonly project?: string }) {
  const search: InstanceListSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const live = useLive('instances', { organization: org, project });
  const { items, byId, freshness } = live;
  const failure = failureOf(live);
  const rights = useRights(org);
  const names = useNames(org, project, [...useCounts(items, regionOf).keys()].toSorted());
  const projectNames = useProjectNames(project === undefined ? org : undefined);
  const set = (changes: Partial<Record<keyof InstanceListSearch, string>>) => {
    void navigate({ to: '.', search: clean({ ...search, ...changes }), replace: true, resetScroll: false });
  };
  const { q, network, group, authority, flavor, image, tag } = search;
  const filters: Filters = {
    ...{ q, network, group, authority, flavor, image, tag },
    ...(project === undefined ? { project: search.project } : {}),
  };
  const namesOfFilter = useNamesOfFilter(search);
  const inRegion = useRowsOfRegion(items, regionOf);
  const found = useMemo(() => inRegion.filter(matching(filters)), [inRegion, ...Object.values(filters)]);
  const counts = useCounts(found, stateOf);
  const ofStatus = (instances: readonly Instance[]) =>
    search.status ? instances.filter((each) => stateOf(each) === search.status) : instances;
  const shown = useMemo(() => ofStatus(found), [found, search.status]);
  const all = useMemo(
    () => (projectNames ? withProject(columnsOf(org, names), projectNames) : columnsOf(org, names)),
    [org, names, projectNames],
  );
  const columns = useMemo(() => {
    const chosen = search.cols?.split(',');
    return all.filter(({ key, optional = false }) => key === 'name' || (chosen ? chosen.includes(key) : !optional));
  }, [all, search.cols]);
  const selection = useMemo(() => new Set(search.sel?.split(',') ?? []), [search.sel]);
  const selected = [...selection].flatMap((id) => byId.get(id) ?? []);
  const refused = (verb: 'update' | 'delete') =>
    selected.every(({ metadata }) => rights.may('compute:instances', verb, metadata.projectId))
      ? undefined
      : words.parts.missingRight;
  const isLoading = freshness === 'loading' && !failure && items.length === 0;
  const title = project === undefined ? texts.allTitle : texts.title;
  const isEmpty = freshness !== 'loading' && freshness !== 'refused' && items.length === 0;
  return (
    <Page title={title} actions={project !== undefined && <CreateButton org={org} project={project} />}>
      {failure && <Problem error={failure} />}
      {isEmpty &&
        (project === undefined ? <EmptyOrganization org={org} /> : <EmptyProject org={org} project={project} />)}
      {(isLoading || items.length > 0) && (
        <div className={`flex min-w-0 flex-col gap-4 ${isLoading ? afterAMoment : ''}`}>
          <FilterBar
            label={texts.filter}
            text={q ?? ''}
            onText={(text) => {
              set({ q: text });
            }}
            chips={[
              { key: '', title: texts.states.all, count: isLoading ? undefined : found.length },
              ...stateFilters.map((key) => ({
                key,
                title: texts.states[key],
                count: isLoading ? undefined : (counts.get(key) ?? 0),
              })),
            ]}
            chip={search.status ?? ''}
            loading={freshness === 'loading' && !isLoading}
            onChip={(status) => {
              set({ status });
            }}
          >
            <RegionChip />
            <FilterMenu
              instances={items}
              filters={filters}
              offered={project === undefined ? ['project', ...offered] : offered}
              nameOf={nameOfValue}
              onChange={(property, value) => {
                set({ [property]: value });
              }}
            />
            <Menu
              trigger={
                <Button>
                  <Icon name="columns" />
                  {words.parts.columns}
                </Button>
              }
            >
              {all
                .filter(({ key }) => key !== 'name')
                .map(({ key, title: column }) => (
                  <MenuCheck
                    key={key}
                    checked={columns.some((each) => each.key === key)}
                    onChange={(checked) => {
                      const keys = all
                        .map((each) => each.key)
                        .filter((each) => (each === key ? checked : columns.some((other) => other.key === each)));
                      set({ cols: keys.join(',') });
                    }}
                  >
                    {column}
                  </MenuCheck>
                ))}
            </Menu>
          </FilterBar>
          <Table
            label={title}
            rows={shown}
            columns={columns}
            idOf={idOf}
            nameOf={nameOf}
            sort={search.sort ?? 'name'}
            onSort={(sort) => {
              set({ sort: sort === 'name' ? '' : sort });
            }}
            selection={selection}
            onSelect={(ids) => {
              set({ sel: [...ids].join(',') });
            }}
            onOpen={({ metadata }) => {
              const params = { org, project: metadata.projectId, id: metadata.id };
              void navigate({ to: '/o/$org/p/$project/instances/$id', params });
            }}
            stale={freshness === 'stale'}
            loading={isLoading}
            empty={
              <NothingShown
                hidden={shown.length > 0 || inRegion === items ? 0 : ofStatus(items.filter(matching(filters))).length}
                onClear={() => {
                  set(Object.fromEntries(['q', 'status', ...properties].map((each) => [each, ''])));
                }}
              />
            }
          />
          <BulkActions
            instances={selected}
            refused={refused}
            onClear={() => {
              set({ sel: '' });
            }}
          />
        </div>
      )}
    </Page>
  );

  function nameOfValue(property: Property, value: string): string {
    switch (property) {
      case 'project':
        return projectNames?.(value) ?? value;
      case 'group':
      case 'authority':
        return namesOfFilter[property] ?? value;
      case 'tag':
        return value;
      case 'network':
      case 'flavor':
      case 'image':
        return names[property](value);
    }
  }
}

/** Other pages link to the filters for groups and authorities. Not all of their names are known here. */
const offered = ['network', 'flavor', 'image', 'tag'] as const;

/** The names of the security group and the SSH authority to which the list is limited. */
function useNamesOfFilter({ group, authority }: InstanceListSearch) {
  const { region } = useApi();
  const { data: groupName } = useQuery({
    queryKey: ['securitygroup', group],
    queryFn: () =>
      dataOf(
        region.GET('/api/v2/securitygroups/{securityGroupID}', { params: { path: { securityGroupID: group ?? '' } } }),
      ),
    select: nameOf,
    enabled: group !== undefined,
  });
  const { data: authorityName } = useQuery({
    queryKey: ['sshauthority', authority],
    queryFn: () =>
      dataOf(
        region.GET('/api/v2/sshcertificateauthorities/{sshCertificateAuthorityID}', {
          params: { path: { sshCertificateAuthorityID: authority ?? '' } },
        }),
      ),
    select: nameOf,
    enabled: authority !== undefined,
  });
  return { group: groupName, authority: authorityName };
}

/** The names of the projects of an organization; undefined without one. */
function useProjectNames(org: string | undefined): NameOf | undefined {
  const { projects } = useProjects(org);
  return useMemo(() => (org === undefined ? undefined : namesOf([projects])), [org, projects]);
}

const idOf = ({ metadata }: Instance) => metadata.id;
const nameOf = ({ metadata }: { readonly metadata: { readonly name: string } }) => metadata.name;

/** Without empty values, so that defaults stay out of the address. */
function clean(search: RawSearch): RawSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ''));
}

const conditionOf = perObject(instanceCondition);

const stateOf = (instance: Instance): StateFilter => conditionOf(instance).filter;
const regionOf = ({ status }: Instance) => status.regionId;

/** The project is shown instead of the image: a page of 1280 pixels has no room for both. */
function withProject(columns: readonly InstanceListColumn[], projectName: NameOf): readonly InstanceListColumn[] {
  const project: InstanceListColumn = {
    key: 'project',
    title: texts.columns.project,
    sort: ({ metadata }) => projectName(metadata.projectId),
    cell: ({ metadata }) => projectName(metadata.projectId),
  };
  return columns
    .map((column) => (column.key === 'image' ? { ...column, optional: true } : column))
    .toSpliced(1, 0, project);
}

/** Its key is one that the route knows. */
type InstanceListColumn = Column<Instance> & { readonly key: InstanceColumn };

function columnsOf(org: string, names: Names): readonly InstanceListColumn[] {
  const { columns } = texts;
  return [
    {
      key: 'name',
      title: columns.name,
      width: 'minmax(7rem, 1.4fr)',
      sort: nameOf,
      cell: ({ metadata, spec }) => (
        <span className="flex min-w-0 items-center gap-1.5">
          <Link
            to="/o/$org/p/$project/instances/$id"
            params={{ org, project: metadata.projectId, id: metadata.id }}
            className="truncate font-medium hover:underline"
          >
            {metadata.name}
          </Link>
          {spec.deletionProtection === true && <Icon name="lock" className="size-3.5 text-muted" />}
        </span>
      ),
    },
    {
      key: 'status',
      title: columns.status,
      width: 'minmax(6.5rem, 2fr)',
      sort: (instance) => conditionOf(instance).word,
      cell: (instance) => {
        const { tone, word, message } = conditionOf(instance);
        return (
          <span className="flex min-w-0 items-center gap-3">
            <Status tone={tone} word={word} />
            {message !== undefined && (
              <span lang="en" title={message} className="truncate text-muted max-2xl:hidden">
                {message}
              </span>
            )}
          </span>
        );
      },
    },
    {
      key: 'address',
      title: columns.address,
      width: '7.75rem',
      sort: ({ status }) => addressOrder(status.privateIP),
      cell: ({ status }) => <Address address={status.privateIP} />,
    },
    {
      key: 'publicAddress',
      title: columns.publicAddress,
      width: '7.75rem',
      sort: ({ status }) => addressOrder(status.publicIP),
      cell: ({ status }) => <Address address={status.publicIP} />,
    },
    {
      key: 'flavor',
      title: columns.flavor,
      width: 'minmax(7rem, 1fr)',
      sort: ({ spec }) => names.flavor(spec.flavorId),
      cell: ({ spec }) => names.flavor(spec.flavorId),
    },
    {
      key: 'image',
      title: columns.image,
      width: 'minmax(7.5rem, 1.2fr)',
      sort: ({ spec }) => names.image(spec.imageId),
      cell: ({ spec }) => names.image(spec.imageId),
    },
    {
      key: 'network',
      title: columns.network,
      sort: ({ status }) => names.network(status.networkId),
      cell: ({ status }) => names.network(status.networkId),
    },
    {
      key: 'region',
      title: columns.region,
      optional: true,
      sort: ({ status }) => names.region(status.regionId),
      cell: ({ status }) => names.region(status.regionId),
    },
    {
      key: 'tags',
      title: columns.tags,
      optional: true,
      cell: ({ metadata }) => (metadata.tags ?? []).map(({ name, value }) => `${name}=${value}`).join(', '),
    },
    {
      key: 'id',
      title: columns.id,
      width: '9rem',
      optional: true,
      cell: ({ metadata }) => <Identifier id={metadata.id} />,
    },
    {
      key: 'age',
      title: columns.age,
      width: '3.5rem',
      sort: ({ metadata }) => -Date.parse(metadata.creationTime),
      cell: ({ metadata }) => <Age since={metadata.creationTime} />,
    },
  ];
}

function Address({ address }: { readonly address: string | undefined }) {
  if (address === undefined) return <span className="text-muted max-sm:hidden">–</span>;
  return (
    <span className="group/address inline-flex items-center gap-1 font-mono text-sm">
      {address}
      <span className="opacity-0 group-hover/address:opacity-100 focus-within:opacity-100">
        <CopyButton text={address} what={address} />
      </span>
    </span>
  );
}

/** Addresses in the order of their numbers. */
function addressOrder(address = ''): string {
  return address
    .split('.')
    .map((part) => part.padStart(3, '0'))
    .join('.');
}
