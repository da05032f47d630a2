import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Fragment, useState } from 'react';

import type { History } from '@unikorn/sdk';

import { useActorNames } from '../catalog/catalog.ts';
import { useApi } from '../session/context.tsx';
import { words } from '../words/index.ts';
import { Button } from './button.tsx';
import { Identifier } from './copy.tsx';
import { Icon, type IconName } from './icon.tsx';
import { Problem } from './problem.tsx';
import { Badge, type Tone } from './status.tsx';
import { Time } from './time.tsx';

type Entry = History[number];

const texts = words.parts.history;
const pageSize = 100;

const lanes = ['intent', 'plan', 'transition', 'saga', 'call', 'finding'] as const;

const icons: Readonly<Record<string, IconName>> = {
  intent: 'people',
  plan: 'findings',
  transition: 'activity',
  saga: 'sagas',
  call: 'regions',
  finding: 'warning',
};

/**
 * What happened to a resource, newest first, also after it is deleted.
 *
 * @example <HistoryView service="compute" path={`/api/v2/instances/${id}`} version={modified} />
 */
export function HistoryView({
  service,
  path,
  version,
}: {
  readonly service: 'compute' | 'region' | 'identity';
  readonly path: string;
  /** When this changes, the history is read again. */
  readonly version: string;
}) {
  const api = useApi();
  const { org = '' } = useParams({ strict: false });
  const actorName = useActorNames(org);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, isPending } = useInfiniteQuery({
    queryKey: ['history', service, path, version],
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: pageSize, ...(pageParam === '' ? {} : { continue: pageParam }) };
      const answer = await api[service].untyped.send('GET', `${path}/history`, { params: { query }, signal });
      return {
        entries: Array.isArray(answer.data) ? answer.data.filter(isEntry) : [],
        next: answer.headers.get('continue') ?? undefined,
      };
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: (before) => before,
  });
  if (error) return <Problem error={error} />;
  const all = newestFirst(data?.pages.flatMap(({ entries }) => entries) ?? []);
  const present = lanes.filter((lane) => all.some(({ type }) => type === lane));
  const shown = all.filter(({ type }) => !hidden.has(type));
  return (
    <div className="flex flex-col">
      {present.length > 1 && (
        <div role="group" aria-label={texts.lanes} className="flex flex-wrap gap-1 border-b border-line px-3 py-2">
          {present.map((lane) => (
            <button
              key={lane}
              type="button"
              aria-pressed={!hidden.has(lane)}
              className="flex h-7 items-center gap-1.5 rounded-md px-2 text-muted hover:bg-hover aria-pressed:bg-selected aria-pressed:text-accent-text"
              onClick={() => {
                const next = new Set(hidden);
                if (!next.delete(lane)) next.add(lane);
                setHidden(next);
              }}
            >
              <Icon name={icons[lane] ?? 'info'} className="size-3.5" />
              {texts.types[lane]}
            </button>
          ))}
        </div>
      )}
      {isPending && <div className="h-40" />}
      {!isPending && shown.length === 0 && <p className="p-4 text-muted">{texts.empty}</p>}
      <ol>
        {shown.map((entry, index) => (
          <Fragment key={`${entry.time} ${entry.type} ${entry.action} ${index}`}>
            {index > 0 &&
              entry.uid !== undefined &&
              shown[index - 1]?.uid !== undefined &&
              shown[index - 1]?.uid !== entry.uid && (
                <li className="bg-sunken px-4 py-1.5 text-sm font-medium text-muted">{texts.earlierLife}</li>
              )}
            <Row entry={entry} actorName={actorName} />
          </Fragment>
        ))}
      </ol>
      {hasNextPage && (
        <Button
          className="m-3 self-start"
          busy={isFetchingNextPage}
          onClick={() => {
            void fetchNextPage();
          }}
        >
          {texts.more}
        </Button>
      )}
    </div>
  );
}

function Row({ entry, actorName }: { readonly entry: Entry; readonly actorName: (actor: string) => string }) {
  return (
    <li className="grid grid-cols-[1rem_1fr_auto] items-start gap-x-3 border-b border-line px-4 py-2 last:border-b-0">
      <Icon name={icons[entry.type] ?? 'info'} className="mt-0.5 text-muted" />
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium">{entry.action}</span>
          <Badge tone={toneOf(entry.outcome)}>{entry.outcome}</Badge>
          {entry.times !== undefined && <span className="text-sm text-muted">{texts.times(entry.times)}</span>}
          {entry.actor !== undefined && <span className="text-muted">{texts.by(actorName(entry.actor))}</span>}
        </p>
        {entry.message !== undefined && (
          <p lang="en" className="break-words text-muted">
            {entry.message}
          </p>
        )}
        {entry.cause !== undefined && <p className="text-muted">{texts.because(entry.cause)}</p>}
        {entry.changes !== undefined && entry.changes.length > 0 && (
          <p className="text-sm text-muted">
            {entry.changes.map(({ field, action }) => `${field} (${action})`).join(', ')}
          </p>
        )}
        {(entry.traceId !== undefined || entry.requestId !== undefined) && (
          <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
            {entry.traceId !== undefined && (
              <span>
                {words.parts.traceId} <Identifier id={entry.traceId} what={words.parts.traceId} />
              </span>
            )}
            {entry.requestId !== undefined && (
              <span>
                {texts.cloudRequest} <Identifier id={entry.requestId} what={texts.cloudRequest} />
              </span>
            )}
          </p>
        )}
      </div>
      <span className="text-sm text-muted">
        <Time at={entry.lastTime ?? entry.time} />
      </span>
    </li>
  );
}

function newestFirst(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted(
    (one, other) => Date.parse(other.lastTime ?? other.time) - Date.parse(one.lastTime ?? one.time),
  );
}

function toneOf(outcome: string): Tone {
  if (/fail|error|refus|denied|lost/i.test(outcome)) return 'bad';
  if (/retry|waiting|degraded|unhealthy|notready/i.test(outcome)) return 'warn';
  if (/succe|ready|done|provisioned|accepted|healthy|ok/i.test(outcome)) return 'good';
  return 'idle';
}

function isEntry(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && 'time' in value && 'type' in value && 'action' in value;
}
