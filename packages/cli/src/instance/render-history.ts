import type { InstanceHistory } from '@unikorn/sdk';

import type { Colours } from '../output/colours.ts';
import { renderTable, type TableColumn, type TableText } from '../output/table.ts';
import { lineOfCells } from '../verbs/follow-entries.ts';
import type { NameOf, Reference } from './references.ts';

type Entry = InstanceHistory[number];

const columns: readonly TableColumn[] = [
  { header: 'TIME', exact: true },
  { header: 'WHO', rank: 30 },
  { header: 'WHAT', rank: 60 },
  { header: 'OUTCOME', flows: true, rank: 60 },
  { header: 'DETAIL', flows: true, rank: 55 },
];

/** One entry on its own line, for `--follow`. */
export function historyLine(entry: Entry, nameOf: NameOf, colours: Colours): string {
  return lineOfCells(cellsOf(entry, [], nameOf, colours));
}

/** Renders the history of an instance, the latest entry last. */
export function renderHistory(entries: InstanceHistory, nameOf: NameOf, colours: Colours, width?: number): string {
  const rows = entries.map((entry, index) => cellsOf(entry, entries.slice(0, index), nameOf, colours));
  return renderTable(columns, rows, { width });
}

function cellsOf(entry: Entry, earlier: InstanceHistory, nameOf: NameOf, colours: Colours): readonly TableText[] {
  const { time, actor, outcome } = entry;
  return [
    `${time.slice(0, 19)}Z`,
    actor === undefined ? '' : nameOf('serviceaccount', actor),
    whatOf(entry),
    painted(entry, `${origin(entry, earlier)}${outcome}`, colours),
    detailOf(entry),
  ];
}

/** The users who requested the entries. Users are shown by mail address, services by id. */
export function actorsIn(entries: InstanceHistory): readonly Reference[] {
  return [...new Set(entries.flatMap(({ actor }) => actor ?? []))].map((id) => ({ noun: 'serviceaccount', id }));
}

/** Requests are shown by their action; entries of the platform also show their type. */
function whatOf({ type, action }: Entry): string {
  switch (type) {
    case 'intent':
    case 'plan':
    case 'transition':
      return action;
    case 'saga':
      return `step ${action}`;
    case 'call':
      return `call ${action}`;
    case 'finding':
      return `finding ${action}`;
  }
}

/**
 * The state before a transition: the new state of the previous transition of the same type, in the same life of the
 * instance.
 */
function origin({ type, action, uid, outcome }: Entry, earlier: InstanceHistory): string {
  if (type !== 'transition') return '';
  const last = earlier.findLast((entry) => entry.type === type && entry.action === action && entry.uid === uid);
  return last && last.outcome !== outcome ? `${last.outcome} → ` : '';
}

function detailOf({ message, changes = [], times }: Entry): string {
  const fields = changes.map(({ field }) => field.split('.').at(-1) ?? field).join(',');
  return [fields, message ?? '', times === undefined ? '' : `${times} times`].filter((part) => part !== '').join('; ');
}

const failures: ReadonlySet<string> = new Set([
  'refused',
  'failed',
  'interrupted',
  'undo failed',
  'Errored',
  'Degraded',
  'found',
]);

function painted({ type, outcome }: Entry, text: string, colours: Colours): TableText {
  if (failures.has(outcome)) return { text, paint: colours.red };
  return type === 'saga' || type === 'call' ? { text, paint: colours.dim } : text;
}
