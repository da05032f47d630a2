import { Link } from '@tanstack/react-router';

import type { RowAction } from './list-page.tsx';
import type { ListState } from './list-state.ts';
import { conditionOf, Status } from './status.tsx';
import type { Column } from './table.tsx';
import { Time } from './time.tsx';
import { failureOf, type Snapshot } from '../live/hub.ts';
import type { Asked } from '../session/actions.ts';
import { number, words } from '../words/index.ts';

/** The parts that the lists of most nouns share: their rows, the usual columns, and the usual menu. */

export interface Named {
  readonly metadata: { readonly id: string; readonly name: string; readonly creationTime: string };
}

export function idOf({ metadata }: Named): string {
  return metadata.id;
}

export function nameOf({ metadata }: Named): string {
  return metadata.name;
}

/** The order of names, for short lists without a choice of the order. */
export function byName(one: Named, other: Named): number {
  return nameOf(one) < nameOf(other) ? -1 : 1;
}

/** A live list as `ListPage` takes it. */
export function liveRows<Row>(live: Snapshot<Row>) {
  const { items, freshness } = live;
  const nothingYet = freshness === 'loading' && items.length === 0;
  return {
    rows: nothingYet || freshness === 'refused' ? undefined : items,
    loading: freshness === 'loading',
    error: failureOf(live) ?? null,
    stale: freshness === 'stale',
  };
}

/** One object of a live list as the page of a resource takes it. */
export function liveResource<Row>(live: Snapshot<Row>, id: string) {
  return {
    resource: live.byId.get(id),
    loading: live.freshness === 'loading',
    error: failureOf(live) ?? null,
  };
}

/** How the service is asked what can be done with the objects below a path of its API. */
export function askedBelow(service: Asked['service'], path: string): (row: Named) => Asked {
  return ({ metadata }) => ({ service, path: `${path}/${metadata.id}`, version: JSON.stringify(metadata) });
}

/** The names of the rows. If each row has a page, its name is a link: for the keyboard, and for a new tab. */
export function nameColumn<Row extends Named>(pageOf?: (row: Row) => string): Column<Row> {
  return {
    key: 'name',
    title: words.parts.name,
    sort: nameOf,
    cell: (row) =>
      pageOf === undefined ? (
        <span className="font-medium">{nameOf(row)}</span>
      ) : (
        <Link to={pageOf(row)} className="font-medium hover:underline">
          {nameOf(row)}
        </Link>
      ),
  };
}

export function statusColumn<Row extends Parameters<typeof conditionOf>[0]>(): Column<Row> {
  return {
    key: 'status',
    title: words.parts.status,
    width: 'minmax(8rem, 1fr)',
    sort: (row) => conditionOf(row).word,
    cell: (row) => <Status {...conditionOf(row)} />,
  };
}

/** A column with the name of something that each row refers to, such as its network. */
export function referenceColumn<Row>(key: string, title: string, referenceOf: (row: Row) => string): Column<Row> {
  return { key, title, sort: referenceOf, cell: referenceOf };
}

/** A column with an address or another text for machines. */
export function codeColumn<Row>(
  key: string,
  title: string,
  width: string,
  codeOf: (row: Row) => string | undefined,
): Column<Row> {
  return { key, title, width, cell: (row) => <span className="font-mono text-sm">{codeOf(row) ?? '–'}</span> };
}

/** A column with a number. */
export function numberColumn<Row>(
  key: string,
  title: string,
  width: string,
  numberOf: (row: Row) => number,
  textOf: (value: number) => string = number,
): Column<Row> {
  return {
    key,
    title,
    width,
    labelled: true,
    sort: numberOf,
    cell: (row) => <span className="tabular">{textOf(numberOf(row))}</span>,
  };
}

export function createdColumn<Row extends Named>(): Column<Row> {
  return {
    key: 'created',
    title: words.parts.created,
    width: '8rem',
    sort: ({ metadata }) => -Date.parse(metadata.creationTime),
    cell: ({ metadata }) => <Time at={metadata.creationTime} />,
  };
}

/** Opens a dialog about the row, if the service would do it now; the page draws the dialog. */
export function dialogAction<Row extends Named>(
  state: ListState,
  dialog: string,
  action: Omit<RowAction<Row>, 'run'> & { readonly asks: string },
): RowAction<Row> {
  return {
    ...action,
    run: ({ metadata }) => {
      state.open(dialog, metadata.id);
    },
  };
}

export function editAction<Row extends Named>(state: ListState, title: string = words.parts.edit): RowAction<Row> {
  return dialogAction(state, 'edit', { title, icon: 'edit', asks: 'update' });
}

export function deleteAction<Row extends Named>(state: ListState): RowAction<Row> {
  return dialogAction(state, 'delete', { title: words.parts.remove, icon: 'trash', danger: true, asks: 'delete' });
}
