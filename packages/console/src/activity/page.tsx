import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';

import { useActorNames } from '../catalog/catalog.ts';
import { Button } from '../parts/button.tsx';
import { Identifier } from '../parts/copy.tsx';
import { ChoiceField } from '../parts/field.tsx';
import { FilterBar } from '../parts/filter-bar.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Empty, Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { afterAMoment, Bar, BarOfLine, Loading, repeated } from '../parts/skeleton.tsx';
import { Badge } from '../parts/status.tsx';
import { clockTime, dayOf, Time } from '../parts/time.tsx';
import { useUnknownValue } from '../parts/unknown-value.ts';
import { limits } from '../limits.ts';
import { useProjects } from '../shell/tenancy.ts';
import { number, words } from '../words/index.ts';
import { useEntries } from './entries.ts';
import { folded, laneOf, lanes, type Entry, type Fold, type Lane } from './lanes.ts';
import type { ActivitySearch } from './routes.tsx';

const texts = words.activity;

export function ProjectActivityPage() {
  const from = '/o/$org/p/$project/activity';
  const { org, project } = useParams({ from });
  const search = useSearch({ from });
  return <ActivityPage org={org} project={project} search={search} />;
}

export function OrganizationActivityPage() {
  const from = '/o/$org/activity';
  const { org } = useParams({ from });
  const search = useSearch({ from });
  return <ActivityPage org={org} search={search} />;
}

/** Who did what, newest first, also to what is deleted by now. */
function ActivityPage({
  org,
  project,
  search,
}: {
  readonly org: string;
  readonly project?: string;
  readonly search: ActivitySearch;
}) {
  const navigate = useNavigate();
  const { entries, freshness, isPending, error, hasMore, isLoadingMore, more } = useEntries({
    organization: org,
    project,
  });
  const { projects } = useProjects(org);
  const accountName = useActorNames(org);
  const projectName = (id: string) => projects.find(({ metadata }) => metadata.id === id)?.metadata.name ?? id;
  const set = (changes: Partial<Record<keyof ActivitySearch, string | undefined>>) => {
    const next = Object.entries({ ...search, ...changes }).filter(([, value]) => value !== undefined && value !== '');
    void navigate({ to: '.', search: Object.fromEntries(next), replace: true, resetScroll: false });
  };
  const actorName = (actor: string | undefined) => (actor === undefined ? texts.platform : accountName(actor));
  const textOf = (entry: Entry) =>
    `${actorName(entry.actor)} ${entry.action} ${entry.resource.kind} ${entry.resource.name ?? ''} ${entry.resource.id} ${projectName(entry.projectId)} ${entry.traceId ?? ''}`.toLowerCase();
  const wanted = (search.q ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const kinds = [...new Set(entries.map(({ resource }) => resource.kind))].toSorted();
  const matching = entries.filter(
    (entry) =>
      (search.kind === undefined || entry.resource.kind === search.kind) &&
      wanted.every((word) => textOf(entry).includes(word)),
  );
  const shown = search.lane === undefined ? matching : matching.filter((entry) => laneOf(entry) === search.lane);
  useUnknownValue(
    'kind',
    search.kind,
    isPending || texts.kinds[search.kind ?? ''] !== undefined || kinds.includes(search.kind ?? ''),
  );
  const gone = useMemo(() => goneIn(entries), [entries]);
  return (
    <Page title={texts.title}>
      {error && <Problem error={error} />}
      {!isPending && entries.length === 0 && !error && (
        <Empty icon="activity" title={texts.empty} command={texts.command}>
          <p>{texts.emptyText}</p>
        </Empty>
      )}
      {(isPending || entries.length > 0) && (
        <div className={`flex flex-col gap-4 ${isPending ? afterAMoment : ''}`}>
          <FilterBar
            label={texts.filter}
            text={search.q ?? ''}
            onText={(q) => {
              set({ q });
            }}
            chips={[
              { key: '', title: texts.lanes.all, count: isPending ? undefined : matching.length },
              ...lanes.map((lane) => ({
                key: lane,
                title: texts.lanes[lane],
                count: isPending ? undefined : matching.filter((entry) => laneOf(entry) === lane).length,
              })),
            ]}
            chip={search.lane ?? ''}
            onChip={(lane) => {
              set({ lane });
            }}
          >
            <ChoiceField
              label={texts.kind}
              hideLabel
              value={search.kind ?? ''}
              empty={texts.allKinds}
              choices={kinds.map((value) => ({ value, label: texts.kinds[value] ?? value }))}
              onChange={(kind) => {
                set({ kind });
              }}
            />
          </FilterBar>
          {isPending ? (
            <DaySkeleton />
          ) : (
            <Days
              folds={folded(shown)}
              gone={gone}
              stale={freshness === 'stale'}
              actorName={actorName}
              projectName={project === undefined ? projectName : undefined}
            />
          )}
          {hasMore && (
            <Button className="self-start" busy={isLoadingMore} onClick={more}>
              {texts.older}
            </Button>
          )}
          {!hasMore && !isPending && <p className="text-sm text-muted">{texts.end}</p>}
        </div>
      )}
    </Page>
  );
}

/** The resources that were deleted last, as far as the entries tell. */
function goneIn(entries: readonly Entry[]): ReadonlySet<string> {
  const last = new Map<string, Entry>();
  for (const entry of entries) {
    if (entry.outcome === 'refused' || !['create', 'delete'].includes(entry.action)) continue;
    if (!last.has(entry.resource.id)) last.set(entry.resource.id, entry);
  }
  return new Set([...last].flatMap(([id, { action }]) => (action === 'delete' ? [id] : [])));
}

interface Naming {
  readonly actorName: (actor: string | undefined) => string;
  /** Undefined on the page of a project, where it would always be the same. */
  readonly projectName: ((id: string) => string) | undefined;
}

function Days({
  folds,
  gone,
  stale,
  ...naming
}: Naming & { readonly folds: readonly Fold[]; readonly gone: ReadonlySet<string>; readonly stale: boolean }) {
  if (folds.length === 0)
    return (
      <p className="rounded-lg border border-line bg-surface p-8 text-center text-muted">
        {words.parts.nothingMatches}
      </p>
    );
  const days = [...Map.groupBy(folds, ({ entry }) => dayOf(entry.time))];
  return (
    <div className={`flex flex-col gap-4 ${stale ? 'opacity-60' : ''}`}>
      {days.map(([day, own]) => (
        <section key={day} aria-label={day} className={dayLook}>
          <h2 className={dayTitleLook}>{day}</h2>
          <ol>
            {own.map((fold) => (
              <Row
                key={`${fold.entry.time} ${fold.entry.resource.id} ${fold.entry.action}`}
                fold={fold}
                isGone={gone.has(fold.entry.resource.id)}
                {...naming}
              />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

const dayLook = 'rounded-lg border border-line bg-surface';
const dayTitleLook = 'border-b border-line px-4 py-2 text-sm font-medium text-muted';

/** A day, before its entries are known. */
function DaySkeleton() {
  return (
    <Loading className={dayLook}>
      <div className={dayTitleLook}>
        <BarOfLine className="w-28" />
      </div>
      <ol>
        {repeated(limits.skeletonRows, (index) => (
          <RowFrame key={index} icon={<Bar className="size-4" />} aside={<Bar className="h-4 w-16 lg:h-6" />}>
            <BarOfLine className="w-2/3" />
          </RowFrame>
        ))}
      </ol>
    </Loading>
  );
}

const icons: Readonly<Record<Lane, IconName>> = {
  changes: 'edit',
  access: 'key',
  machinery: 'controllers',
  refused: 'warning',
};

function Row({
  fold: { entry, times, since },
  isGone,
  actorName,
  projectName,
}: Naming & { readonly fold: Fold; readonly isGone: boolean }) {
  const { resource, action, actor, message, changes = [], cause, traceId, time, projectId } = entry;
  const lane = laneOf(entry);
  const verb =
    lane === 'refused' ? `${texts.mayNot} ${texts.refused[action] ?? action}` : (texts.actions[action] ?? action);
  return (
    <RowFrame
      icon={<Icon name={icons[lane]} className={`mt-0.5 ${lane === 'refused' ? 'text-bad' : 'text-muted'}`} />}
      aside={
        <>
          {traceId !== undefined && (
            <span className="max-lg:hidden">
              <Identifier id={traceId} what={words.parts.traceId} />
            </span>
          )}
          <span className="min-w-16 text-end">
            <Time at={time} />
          </span>
        </>
      }
    >
      <p>
        <span className="font-medium wrap-anywhere">{actorName(actor)}</span>{' '}
        <span className={lane === 'refused' ? 'text-bad' : 'text-muted'}>{verb}</span>{' '}
        <span className="text-muted">{texts.kinds[resource.kind] ?? resource.kind}</span>{' '}
        <ResourceLink entry={entry} isGone={isGone} />{' '}
        {projectName && projectId !== '' && resource.kind !== 'project' && (
          <span className="text-muted">{texts.inProject(projectName(projectId))} </span>
        )}
        {isGone && action !== 'delete' && <Badge tone="idle">{texts.gone}</Badge>}
        {times > 1 && (
          <span className="text-sm text-muted"> {texts.times(number(times), clockTime(Date.parse(since)))}</span>
        )}
      </p>
      {message !== undefined && (
        <p lang="en" className="break-words text-muted">
          {message}
        </p>
      )}
      {cause !== undefined && <p className="text-muted">{texts.because(cause)}</p>}
      {changes.length > 0 && (
        <p className="text-sm text-muted">{texts.changed(changes.map(({ field }) => field).join(', '))}</p>
      )}
    </RowFrame>
  );
}

/** The places of an entry: what kind it is, what happened, and when. */
function RowFrame({
  icon,
  aside,
  children,
}: {
  readonly icon: ReactNode;
  readonly aside: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <li className="grid grid-cols-[1rem_1fr_auto] items-start gap-x-3 border-b border-line px-4 py-2 last:border-b-0">
      {icon}
      <div className="min-w-0">{children}</div>
      <span className="flex items-center gap-3 text-sm text-muted">{aside}</span>
    </li>
  );
}

const pages: Readonly<Record<string, string>> = {
  instance: 'instances',
  network: 'networks',
  'security-group': 'security-groups',
  'load-balancer': 'load-balancers',
  'file-storage': 'file-storage',
  'ssh-certificate-authority': 'ssh-authorities',
};

/** The page of the resource, which also exists after it is deleted. */
function ResourceLink({
  entry: { resource, organizationId, projectId },
  isGone,
}: {
  readonly entry: Entry;
  readonly isGone: boolean;
}) {
  const noun = pages[resource.kind];
  const name = resource.name ?? resource.id;
  const look = `wrap-anywhere ${isGone ? 'line-through decoration-line-strong' : ''}`;
  if (noun === undefined) return <span className={`font-medium ${look}`}>{name}</span>;
  const to: string = `/o/${organizationId}/p/${projectId}/${noun}/${resource.id}`;
  return (
    <Link to={to} className={`font-medium text-accent-text hover:underline ${look}`}>
      {name}
    </Link>
  );
}
