import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';

import type { Instance } from '@unikorn/sdk';

import { useNames, type Names } from '../../catalog/catalog.ts';
import { defined } from '../../defined.ts';
import { useLive } from '../../live/use-live.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { Code, CopyButton, Identifier } from '../../parts/copy.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Menu, MenuCheck } from '../../parts/menu.tsx';
import { perObject } from '../../parts/per-object.ts';
import { Empty, Page, Skeleton } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Status } from '../../parts/status.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { Age } from '../../parts/time.tsx';
import { useRights } from '../../session/rights.ts';
import { words } from '../../words/index.ts';
import type { InstanceListSearch } from '../routes.tsx';
import { instanceCondition, stateFilters, type StateFilter } from '../../parts/instance-status.ts';
import { BulkActions } from './bulk.tsx';

const texts = words.instance;
const from = '/o/$org/p/$project/instances';

/** The instances of a project, live. */
export function InstanceListPage() {
  const { org, project } = useParams({ from });
  const search = useSearch({ from });
  const navigate = useNavigate({ from });
  const { items, byId, freshness, error } = useLive('instances', { organization: org, project });
  const rights = useRights(org);
  const regions = useMemo(() => [...new Set(items.map(({ status }) => status.regionId))].toSorted(), [items]);
  const names = useNames(org, project, regions);
  const set = (changes: Partial<InstanceListSearch>) => {
    void navigate({ search: (before) => clean({ ...before, ...changes }), replace: true });
  };
  const matching = useMemo(() => items.filter(matches(search.q, search.network)), [items, search.q, search.network]);
  const counts = useMemo(() => countsOf(matching), [matching]);
  const shown = useMemo(
    () => (search.status ? matching.filter((each) => conditionOf(each).filter === search.status) : matching),
    [matching, search.status],
  );
  const all = useMemo(() => columnsOf({ org, project, names }), [org, project, names]);
  const columns = useMemo(() => {
    const chosen = search.cols?.split(',');
    return all.filter(({ key, optional = false }) => key === 'name' || (chosen ? chosen.includes(key) : !optional));
  }, [all, search.cols]);
  const selection = useMemo(() => new Set(search.sel?.split(',') ?? []), [search.sel]);
  const refused = (verb: 'create' | 'update' | 'delete') =>
    rights.may('compute:instances', verb, project) ? undefined : words.parts.missingRight;
  const create = refused('create') ? (
    <Button kind="primary" reason={refused('create')}>
      <Icon name="plus" />
      {texts.create}
    </Button>
  ) : (
    <Link to="/o/$org/p/$project/instances/new" params={{ org, project }} className={buttonLook('primary')}>
      <Icon name="plus" />
      {texts.create}
    </Link>
  );
  return (
    <Page title={texts.title} actions={create}>
      {error && freshness === 'refused' && <Problem error={error} />}
      {freshness === 'loading' && items.length === 0 && <Skeleton />}
      {freshness !== 'loading' && freshness !== 'refused' && items.length === 0 && (
        <Empty icon="instances" title={texts.empty} action={create}>
          <p>{texts.emptyText}</p>
          <Code label={words.parts.command} text="npx unikorn instance create web --network … --flavor … --image …" />
        </Empty>
      )}
      {items.length > 0 && (
        <>
          <FilterBar
            label={texts.filter}
            text={search.q ?? ''}
            onText={(q) => {
              set({ q });
            }}
            chips={[
              { key: '', title: texts.states.all, count: matching.length },
              ...stateFilters.map((key) => ({
                key,
                title: texts.states[key],
                count: counts.get(key) ?? 0,
              })),
            ]}
            chip={search.status ?? ''}
            loading={freshness === 'loading'}
            onChip={(key) => {
              const status = stateFilters.find((each) => each === key);
              void navigate({ search: (before) => defined({ ...before, status }), replace: true });
            }}
          >
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
                .map(({ key, title }) => (
                  <MenuCheck
                    key={key}
                    checked={columns.some((column) => column.key === key)}
                    onChange={(checked) => {
                      const keys = all
                        .map((column) => column.key)
                        .filter((each) => (each === key ? checked : columns.some((column) => column.key === each)));
                      set({ cols: keys.join(',') });
                    }}
                  >
                    {title}
                  </MenuCheck>
                ))}
            </Menu>
          </FilterBar>
          <Table
            label={texts.title}
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
              void navigate({ to: '/o/$org/p/$project/instances/$id', params: { org, project, id: metadata.id } });
            }}
            stale={freshness === 'stale'}
          />
          <BulkActions
            instances={[...selection].flatMap((id) => byId.get(id) ?? [])}
            refused={refused}
            onClear={() => {
              set({ sel: '' });
            }}
          />
        </>
      )}
    </Page>
  );
}

const idOf = ({ metadata }: Instance) => metadata.id;
const nameOf = ({ metadata }: Instance) => metadata.name;

/** Without empty values, so that defaults stay out of the address. */
function clean(search: InstanceListSearch): InstanceListSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== ''));
}

function matches(text: string | undefined, network: string | undefined): (instance: Instance) => boolean {
  const wanted = (text ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return (instance) => {
    if (network !== undefined && instance.status.networkId !== network) return false;
    return wanted.every((word) => textOf(instance).includes(word));
  };
}

/** What a filter is compared with. */
const textOf = perObject(({ metadata, status }: Instance): string => {
  const tags = (metadata.tags ?? []).map(({ name, value }) => `${name}=${value}`).join(' ');
  return `${metadata.name} ${metadata.id} ${status.privateIP ?? ''} ${status.publicIP ?? ''} ${tags}`.toLowerCase();
});

const conditionOf = perObject(instanceCondition);

/** How many instances are in each state. */
function countsOf(instances: readonly Instance[]): ReadonlyMap<StateFilter, number> {
  const counts = new Map<StateFilter, number>();
  for (const instance of instances) {
    const { filter } = conditionOf(instance);
    counts.set(filter, (counts.get(filter) ?? 0) + 1);
  }
  return counts;
}

interface Context {
  readonly org: string;
  readonly project: string;
  readonly names: Names;
}

function columnsOf({ org, project, names }: Context): readonly Column<Instance>[] {
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
            params={{ org, project, id: metadata.id }}
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
  if (address === undefined) return <span className="text-muted">–</span>;
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
