import type { Activity } from '@unikorn/sdk';

import type { GlobalOptions } from '../global-options.ts';
import { printDocument } from '../instance/print.ts';
import { namesFor, type NameOf, type Reference } from '../instance/references.ts';
import { limits } from '../limits.ts';
import { coloursFor, type Colours } from '../output/colours.ts';
import type { Printing } from '../output/print.ts';
import { renderTable, widthOf, type TableColumn, type TableText } from '../output/table.ts';
import { answersOf, demandComplete } from '../services.ts';
import type { Session } from '../session.ts';
import type { Terminal } from '../terminal.ts';
import { lineOfCells, mergedByTime, showEntries } from './follow-entries.ts';
import { opened } from './verb.ts';
import { tellOf } from './watch.ts';

export type ActivityOptions = GlobalOptions & { readonly limit?: number; readonly follow?: boolean };

type Entry = Activity[number];

/** The activity of all services together, newest first. */
export async function activityVerb(terminal: Terminal, options: ActivityOptions): Promise<void> {
  const { limit = limits.activities } = options;
  const { session, printing } = await opened({ terminal, options });
  const colours = coloursFor(terminal.stdout, terminal.env);
  const table = async (entries: Activity) =>
    renderActivity(entries, await namesIn(entries, printing), colours, widthOf(terminal.stdout));
  if (options.follow) {
    const following = { signal: terminal.signal, onInterruption: tellOf(terminal) };
    const { identity, region, compute } = session.unikorn;
    const params = { query: { ...(await scopeOf(session)), limit: Math.min(limit, limits.activityPage) } };
    const streams = [
      identity.follow('/api/v1/activity', { params, ...following }),
      region.follow('/api/v2/activity', { params, ...following }),
      compute.follow('/api/v2/activity', { params, ...following }),
    ];
    const line = async (entry: Entry) => lineOfCells(cellsOf(entry, await namesIn([entry], printing), colours));
    await showEntries(mergedByTime(streams, limit), printing, { table: (entries) => table([...entries]), line });
    return;
  }
  const read = await answersOf({
    identity: entriesOf(
      (query) => session.unikorn.identity.GET('/api/v1/activity', { params: { query } }),
      session,
      limit,
    ),
    region: entriesOf((query) => session.unikorn.region.GET('/api/v2/activity', { params: { query } }), session, limit),
    compute: entriesOf(
      (query) => session.unikorn.compute.GET('/api/v2/activity', { params: { query } }),
      session,
      limit,
    ),
  });
  const entries = read.answers
    .flat()
    .toSorted((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0))
    .slice(0, limit);
  await printDocument(printing, entries, () => table(entries));
  demandComplete(read, 'activities');
}

async function namesIn(entries: Activity, { names }: Printing): Promise<NameOf> {
  const [first] = entries;
  const place = { metadata: { id: '', name: '', ...(first ? { organizationId: first.organizationId } : {}) } };
  return namesFor(referencesIn(entries), place, names);
}

interface Query {
  readonly organizationID?: string[];
  readonly projectID?: string[];
  readonly limit: number;
  readonly continue?: string;
}

interface Answer {
  readonly data?: Activity;
  readonly response: Response;
}

/** The newest entries of one service. */
async function entriesOf(ask: (query: Query) => Promise<Answer>, session: Session, limit: number): Promise<Activity> {
  const scope = await scopeOf(session);
  const entries: Activity = [];
  let next: string | undefined;
  for (let page = 0; page < limits.activityPages && entries.length < limit; page++) {
    const { data = [], response } = await ask({
      ...scope,
      limit: Math.min(limit - entries.length, limits.activityPage),
      ...(next === undefined ? {} : { continue: next }),
    });
    entries.push(...data);
    next = response.headers.get('continue') ?? undefined;
    if (next === undefined) break;
  }
  return entries;
}

/** The organization and the project that the command is about. */
async function scopeOf(session: Session): Promise<Pick<Query, 'organizationID' | 'projectID'>> {
  const [organization, project] = await Promise.all([
    session.optionalIdOf('organization'),
    session.optionalIdOf('project'),
  ]);
  return {
    ...(organization === undefined ? {} : { organizationID: [organization] }),
    ...(project === undefined ? {} : { projectID: [project] }),
  };
}

function referencesIn(entries: Activity): readonly Reference[] {
  const references = entries.flatMap(({ actor, projectId }) => [
    ...(actor === undefined ? [] : [{ noun: 'serviceaccount', id: actor }]),
    ...(projectId === '' ? [] : [{ noun: 'project', id: projectId }]),
  ]);
  return [...new Map(references.map((reference) => [`${reference.noun} ${reference.id}`, reference])).values()];
}

const columns: readonly TableColumn[] = [
  { header: 'TIME', exact: true },
  { header: 'WHO', rank: 60 },
  { header: 'WHAT', rank: 60 },
  { header: 'RESOURCE', rank: 60 },
  { header: 'PROJECT', rank: 30 },
  { header: 'OUTCOME', rank: 55 },
  { header: 'DETAIL', flows: true, rank: 40 },
];

export function renderActivity(entries: Activity, nameOf: NameOf, colours: Colours, width?: number): string {
  const rows = entries.map((entry) => cellsOf(entry, nameOf, colours));
  return renderTable(columns, rows, { width });
}

function cellsOf(
  { time, actor, action, outcome, message, changes = [], projectId, resource }: Entry,
  nameOf: NameOf,
  colours: Colours,
): readonly TableText[] {
  return [
    `${time.slice(0, 19)}Z`,
    actor === undefined ? '' : nameOf('serviceaccount', actor),
    action,
    `${resource.kind} ${resource.name ?? resource.id}`,
    resource.kind === 'project' || projectId === '' ? '' : nameOf('project', projectId),
    outcome === 'refused' ? { text: outcome, paint: colours.red } : outcome,
    [changes.map(({ field }) => field.split('.').at(-1) ?? field).join(','), message ?? '']
      .filter((part) => part !== '')
      .join('; '),
  ];
}
