import { Link, useNavigate } from '@tanstack/react-router';

import type { RegionRead } from '@unikorn/sdk';

import { useLive } from '../../live/use-live.ts';
import { buttonLook } from '../../parts/button.tsx';
import { Code } from '../../parts/copy.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useListState } from '../../parts/list-state.ts';
import { Empty, Page, Skeleton } from '../../parts/page.tsx';
import { Problem } from '../../parts/problem.tsx';
import { createdColumn, idOf, liveRows, nameOf } from '../../parts/rows.tsx';
import { Status } from '../../parts/status.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { useRights } from '../../session/rights.ts';
import { words } from '../../words/index.ts';
import { platformWords } from '../../words/platform.ts';
import { CheckWord } from './check.tsx';
import { regionCondition } from './condition.ts';
import { useSimulations } from './queries.ts';

const texts = platformWords.regions;

/** The regions of the platform, live, with the state of their simulation. */
export function RegionsPage() {
  const state = useListState();
  const navigate = useNavigate();
  const rights = useRights(undefined);
  const { rows, error, stale } = liveRows(useLive('regions', {}));
  const simulated = rights.mayGlobally('region:regions/simulation', 'read')
    ? (rows ?? []).filter(({ spec }) => spec.type === 'simulated').map(idOf)
    : [];
  const simulations = useSimulations(simulated);
  const wanted = (state.search.q ?? '').toLowerCase();
  const shown = (rows ?? []).filter(({ metadata, spec }) =>
    `${metadata.name} ${metadata.id} ${spec.type}`.toLowerCase().includes(wanted),
  );
  const condition = (region: RegionRead) => regionCondition(region, simulations.get(region.metadata.id));
  const columns: readonly Column<RegionRead>[] = [
    {
      key: 'name',
      title: words.parts.name,
      sort: nameOf,
      cell: ({ metadata }) => (
        <Link
          to="/platform/regions/$id"
          params={{ id: metadata.id }}
          className="font-medium text-accent-text hover:underline"
        >
          {metadata.name}
        </Link>
      ),
    },
    {
      key: 'state',
      title: texts.state,
      sort: (region) => condition(region).word,
      cell: (region) => <Status {...condition(region)} />,
    },
    { key: 'type', title: texts.type, sort: ({ spec }) => spec.type, cell: ({ spec }) => texts.types[spec.type] },
    { key: 'check', title: texts.check, cell: (region) => <CheckWord region={region} /> },
    createdColumn(),
  ];
  return (
    <Page
      title={texts.title}
      actions={
        rights.mayGlobally('region:regions', 'create') && (
          <Link to="/platform/regions/new" className={buttonLook('primary')}>
            <Icon name="plus" />
            {texts.create}
          </Link>
        )
      }
    >
      {error && <Problem error={error} />}
      {rows === undefined && !error && <Skeleton />}
      {rows?.length === 0 && (
        <Empty icon="regions" title={texts.empty}>
          <p>{texts.emptyText}</p>
          <Code label={words.parts.command} text={texts.command} />
        </Empty>
      )}
      {rows !== undefined && rows.length > 0 && (
        <>
          <FilterBar
            label={texts.filter}
            text={state.search.q ?? ''}
            onText={(q) => {
              state.set({ q });
            }}
          />
          <Table
            label={texts.title}
            rows={shown}
            columns={columns}
            idOf={idOf}
            nameOf={nameOf}
            sort={state.search.sort ?? 'name'}
            onSort={(sort) => {
              state.set({ sort: sort === 'name' ? '' : sort });
            }}
            onOpen={({ metadata }) => void navigate({ to: '/platform/regions/$id', params: { id: metadata.id } })}
            stale={stale}
          />
        </>
      )}
    </Page>
  );
}
