import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { dataOf, type ComputePaths } from '@unikorn/sdk';

import { useLive } from '../live/use-live.ts';
import { Identifier } from '../parts/copy.tsx';
import { FilterBar } from '../parts/filter-bar.tsx';
import { useListState } from '../parts/list-state.ts';
import { Empty, Notice, Page } from '../parts/page.tsx';
import { useUnknownValue } from '../parts/unknown-value.ts';
import { Skeleton } from '../parts/skeleton.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useApi } from '../session/context.tsx';
import { platformWords } from '../words/platform.ts';
import { AsOf, RefreshProblem } from './refreshed.tsx';

type Finding =
  ComputePaths['/api/v1/findings']['get']['responses'][200]['content']['application/json']['findings'][number];

const texts = platformWords.findings;
const checkers: Readonly<Partial<Record<string, string>>> = texts.checkers;

function checkerWord(checker: string): string {
  return checkers[checker] ?? checker;
}

/** The open problems that the monitor found, read again while the page is visible. */
export function FindingsPage() {
  const { compute } = useApi();
  const state = useListState();
  const query = useQuery({
    queryKey: ['findings'],
    queryFn: () => dataOf(compute.GET('/api/v1/findings')),
    refetchInterval: 5_000,
  });
  const { data } = query;
  const { byId: instances } = useLive('instances', {});
  const { q = '', chip: checker = '', sort = 'checker' } = state.search;
  const found = (data?.findings ?? []).filter(({ checker: own, id, message }) =>
    `${checkerWord(own)} ${own} ${id} ${instances.get(id)?.metadata.name ?? ''} ${message}`
      .toLowerCase()
      .includes(q.toLowerCase()),
  );
  const isKnown = checker in checkers || data?.findings.some((each) => each.checker === checker) !== false;
  useUnknownValue('chip', checker === '' ? undefined : checker, isKnown);
  const shown = found.filter((each) => checker === '' || each.checker === checker);
  const counts = new Map<string, number>();
  for (const each of found) counts.set(each.checker, (counts.get(each.checker) ?? 0) + 1);
  return (
    <Page title={texts.title} actions={<AsOf {...query} />}>
      <RefreshProblem {...query} />
      {!data && !query.error && <Skeleton />}
      {data &&
        (data.checkedTime === undefined ? (
          <Notice>
            <p className="font-medium">{texts.elsewhere}</p>
            <p>{texts.elsewhereText}</p>
          </Notice>
        ) : (
          <p className="text-muted">
            {texts.checked} <Time at={data.checkedTime} />.
          </p>
        ))}
      {data && data.total === 0 && data.checkedTime !== undefined && (
        <Empty icon="check" title={texts.empty} command={texts.command}>
          <p>{texts.emptyText}</p>
        </Empty>
      )}
      {data && data.findings.length > 0 && (
        <>
          <FilterBar
            label={texts.filter}
            text={q}
            onText={(text) => {
              state.set({ q: text });
            }}
            chips={[
              { key: '', title: texts.all, count: found.length },
              ...[...counts].map(([key, count]) => ({ key, title: checkerWord(key), count })),
            ]}
            chip={checker}
            onChip={(key) => {
              state.set({ chip: key });
            }}
          />
          {data.total > data.findings.length && (
            <p className="text-muted">{texts.more(data.findings.length, data.total)}</p>
          )}
          <Table<Finding>
            label={texts.title}
            rows={shown}
            idOf={(each) => `${each.checker} ${each.id} ${each.message}`}
            nameOf={({ message }) => message}
            sort={sort}
            onSort={(next) => {
              state.set({ sort: next });
            }}
            stale={query.error !== null}
            columns={[
              {
                key: 'checker',
                title: texts.checker,
                width: 'minmax(11rem, 1fr)',
                sort: (each) => checkerWord(each.checker),
                cell: (each) => <span className="font-medium">{checkerWord(each.checker)}</span>,
              },
              {
                key: 'object',
                title: texts.object,
                width: 'minmax(9rem, 1fr)',
                sort: ({ id }) => instances.get(id)?.metadata.name ?? id,
                cell: ({ id }) => <FoundObject id={id} name={instances.get(id)?.metadata.name} />,
              },
              {
                key: 'message',
                title: texts.message,
                width: 'minmax(14rem, 3fr)',
                cell: ({ message }) => (
                  <span lang="en" className="whitespace-normal">
                    {message}
                  </span>
                ),
              },
            ]}
          />
        </>
      )}
    </Page>
  );
}

/** An instance has a page, also one that is gone. Other objects are known by their id only. */
function FoundObject({ id, name }: { readonly id: string; readonly name: string | undefined }) {
  if (name === undefined) return <Identifier id={id} />;
  return (
    <Link to="/i/$id" params={{ id }} className="font-medium text-accent-text hover:underline">
      {name}
    </Link>
  );
}
