import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

import { controllerLoads, dataOf, type ControllerLoad } from '@unikorn/sdk';

import { Identifier } from '../parts/copy.tsx';
import { useListState } from '../parts/list-state.ts';
import { Sparkline } from '../parts/sparkline.tsx';
import type { Column } from '../parts/table.tsx';
import { Tooltip } from '../parts/tooltip.tsx';
import { useApi } from '../session/context.tsx';
import { number } from '../words/index.ts';
import { platformWords } from '../words/platform.ts';
import { RefreshedList } from './refreshed.tsx';

interface Row extends ControllerLoad {
  readonly id: string;
}

const texts = platformWords.controllers;

/** Values of a small line: three minutes, at one value in three seconds. */
const kept = 60;

function rowOf(load: ControllerLoad): Row {
  return { id: `${load.process} ${load.name}`, ...load };
}

/** The work of the controllers, read again while the page is visible. */
export function ControllersPage() {
  const { identity, region, compute } = useApi();
  const state = useListState();
  const query = useQuery({
    queryKey: ['controllers'],
    queryFn: async () =>
      controllerLoads(
        await Promise.all([
          dataOf(identity.GET('/api/v1/controllers')),
          dataOf(region.GET('/api/v1/controllers')),
          dataOf(compute.GET('/api/v1/controllers')),
        ]),
      ).map(rowOf),
    refetchInterval: 3_000,
  });
  const { data, dataUpdatedAt } = query;
  const trends = useTrends(data, dataUpdatedAt);
  const processes = [...new Set(data?.map(({ process }) => process))];
  return (
    <RefreshedList
      texts={texts}
      icon="controllers"
      state={state}
      query={query}
      rows={data}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      textOf={({ name }) => name}
      columns={[
        {
          key: 'name',
          title: texts.controller,
          width: 'minmax(11rem, 2fr)',
          sort: ({ name }) => name,
          cell: ({ name }) => <span className="font-medium">{name}</span>,
        },
        {
          key: 'trend',
          title: texts.trendTitle,
          width: '8rem',
          cell: ({ id, name }) => <Sparkline label={texts.trend(name)} values={trends.get(id) ?? []} most={kept} />,
        },
        ...(['queue', 'running', 'delayed', 'retrying', 'parked'] as const).map((key): Column<Row> => ({
          key,
          title: texts[key],
          labelled: true,
          width: 'minmax(4.5rem, 1fr)',
          sort: (row) => row[key],
          cell: (row) => <Count row={row} column={key} />,
        })),
        {
          key: 'oldest',
          title: texts.oldest,
          labelled: true,
          width: 'minmax(4.5rem, 1fr)',
          sort: ({ oldest_s }) => oldest_s,
          cell: ({ oldest_s }) => <span className="tabular">{oldest_s === 0 ? '–' : `${oldest_s.toFixed(1)} s`}</span>,
        },
      ]}
      below={
        <p className="text-sm text-muted">
          {texts.process}{' '}
          {processes.map((process) => (
            <Identifier key={process} id={process} what={texts.process} />
          ))}
          . {texts.processText}
        </p>
      }
    />
  );
}

/** A number with its meaning. What failed stands out. */
function Count({
  row,
  column,
}: {
  readonly row: Row;
  readonly column: 'queue' | 'running' | 'delayed' | 'retrying' | 'parked';
}) {
  const value = row[column];
  const look =
    value > 0 && column === 'parked'
      ? 'font-medium text-bad'
      : value > 0 && column === 'retrying'
        ? 'font-medium text-warn'
        : value === 0
          ? 'text-muted'
          : '';
  return (
    <Tooltip text={texts.hints[column]}>
      <span className={`tabular ${look}`}>{number(value)}</span>
    </Tooltip>
  );
}

/** What each controller had to do at each reading since the page was opened. */
function useTrends(rows: readonly Row[] | undefined, readAt: number): ReadonlyMap<string, readonly number[]> {
  const [trends, setTrends] = useState<ReadonlyMap<string, readonly number[]>>(new Map());
  useEffect(() => {
    if (!rows) return;
    setTrends(
      (before) =>
        new Map(
          rows.map(({ id, queue, running, retrying }) => [
            id,
            [...(before.get(id) ?? []), queue + running + retrying].slice(-kept),
          ]),
        ),
    );
  }, [rows, readAt]);
  return trends;
}
