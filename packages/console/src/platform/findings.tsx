import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { dataOf, type ComputePaths } from '@unikorn/sdk';

import { useLive } from '../live/use-live.ts';
import { Identifier } from '../parts/copy.tsx';
import { useListState } from '../parts/list-state.ts';
import { Notice, Page } from '../parts/page.tsx';
import { afterAMoment } from '../parts/skeleton.tsx';
import { Time } from '../parts/time.tsx';
import { useApi } from '../session/context.tsx';
import { platformWords } from '../words/platform.ts';
import { AsOf, RefreshedList, RefreshProblem } from './refreshed.tsx';

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
  const nameOf = (id: string) => instances.get(id)?.metadata.name;
  if (data && data.checkedTime === undefined)
    return (
      <Page title={texts.title} actions={<AsOf {...query} />}>
        <RefreshProblem {...query} />
        <Notice>
          <p className="font-medium">{texts.elsewhere}</p>
          <p>{texts.elsewhereText}</p>
        </Notice>
      </Page>
    );
  return (
    <RefreshedList<Finding>
      texts={texts}
      icon="check"
      state={state}
      query={query}
      rows={data?.findings}
      order="checker"
      idOf={({ checker, id, message }) => `${checker} ${id} ${message}`}
      nameOf={({ message }) => message}
      textOf={({ checker, id, message }) => `${checkerWord(checker)} ${checker} ${id} ${nameOf(id) ?? ''} ${message}`}
      groups={{
        of: ({ checker }) => checker,
        titleOf: checkerWord,
        all: texts.all,
        exists: (checker) => checker in checkers,
      }}
      above={
        (data !== undefined || !query.error) && (
          <p className={`text-muted ${data ? '' : afterAMoment}`}>
            {texts.checked} {data ? <Time at={data.checkedTime} /> : '–'}.
          </p>
        )
      }
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
          sort: ({ id }) => nameOf(id) ?? id,
          cell: ({ id }) => <FoundObject id={id} name={nameOf(id)} />,
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
    >
      {data && data.total > data.findings.length && (
        <p className="text-muted">{texts.more(data.findings.length, data.total)}</p>
      )}
    </RefreshedList>
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
