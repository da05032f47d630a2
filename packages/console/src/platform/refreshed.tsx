import { ListPage, type ListPageProps } from '../parts/list-page.tsx';
import { Mark } from '../parts/status.tsx';
import { Problem } from '../parts/problem.tsx';
import { clockTime } from '../parts/time.tsx';
import { platformWords as texts } from '../words/platform.ts';

/** A list that is read from time to time, while the page is visible. */
export interface Refreshed {
  readonly dataUpdatedAt: number;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

/** When the list was last read. */
export function AsOf({ dataUpdatedAt, error }: Pick<Refreshed, 'dataUpdatedAt' | 'error'>) {
  if (dataUpdatedAt === 0) return null;
  return (
    <p className="flex items-center gap-2 text-sm whitespace-nowrap text-muted tabular">
      <Mark tone={error ? 'warn' : 'good'} />
      {texts.updated(clockTime(dataUpdatedAt))}
    </p>
  );
}

/** Says that the last attempt to read failed. What was read before stays on the page. */
export function RefreshProblem({ dataUpdatedAt, error, refetch }: Refreshed) {
  if (!error) return null;
  return (
    <div className="flex flex-col gap-2">
      {dataUpdatedAt > 0 && <p className="text-warn">{texts.refreshFailed(clockTime(dataUpdatedAt))}</p>}
      <Problem
        error={error}
        retry={() => {
          void refetch();
        }}
      />
    </div>
  );
}

/** A list without a stream: it says when it was read, and keeps its rows when it cannot be read again. */
export function RefreshedList<Row>({
  query,
  ...list
}: Omit<ListPageProps<Row>, 'error' | 'head' | 'problem' | 'stale'> & { readonly query: Refreshed }) {
  return (
    <ListPage
      {...list}
      error={query.error}
      problem={<RefreshProblem {...query} />}
      head={<AsOf {...query} />}
      stale={query.error !== null}
    />
  );
}
