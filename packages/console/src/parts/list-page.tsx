import { useMemo, type ReactNode } from 'react';

import { NothingShown, RegionChip, useRowsOfRegion } from '../catalog/region-filter.tsx';
import { words } from '../words/index.ts';
import { Button, IconButton } from './button.tsx';
import { FilterBar, type Chip } from './filter-bar.tsx';
import { Icon, type IconName } from './icon.tsx';
import type { ListState } from './list-state.ts';
import { Menu, MenuItem } from './menu.tsx';
import { Empty, Page } from './page.tsx';
import { Problem } from './problem.tsx';
import { afterAMoment } from './skeleton.tsx';
import { useUnknownValue } from './unknown-value.ts';
import { Table, type Column } from './table.tsx';
import { useActions, type Asked, type ReasonAgainst } from '../session/actions.ts';

export interface RowAction<Row> {
  readonly title: string;
  readonly icon: IconName;
  readonly danger?: boolean;
  /** Why it cannot be done, where the page knows more about the row than the service. */
  readonly reason?: ((row: Row) => string | undefined) | undefined;
  /** Its name in the list of what can be done, which the service gives for each object. */
  readonly asks?: string;
  readonly run: (row: Row) => void;
}

export interface ListPageProps<Row> {
  readonly texts: {
    readonly title: string;
    readonly filter: string;
    readonly empty: string;
    readonly emptyText: string;
    readonly create?: string;
    readonly command?: string;
  };
  readonly icon: IconName;
  readonly state: ListState;
  readonly rows: readonly Row[] | undefined;
  /** Whether more rows are still arriving. */
  readonly loading?: boolean;
  readonly error: Error | null;
  readonly columns: readonly Column<Row>[];
  readonly idOf: (row: Row) => string;
  readonly nameOf: (row: Row) => string;
  /** The texts by which a row is found. */
  readonly textOf: (row: Row) => string;
  /** Why nothing can be created, if that is so. */
  readonly createReason?: string | undefined;
  readonly actions?: readonly RowAction<Row>[];
  /** Where the service says what can be done with a row. It is asked when the menu of the row is opened. */
  readonly asked?: (row: Row) => Asked;
  readonly onOpen?: (row: Row) => void;
  readonly stale?: boolean;
  /** The order that is not in the address. Without one, it is that of the names; an empty one is that of the rows. */
  readonly order?: string;
  /** The groups to which the list can be limited. */
  readonly groups?: Groups<Row>;
  /** The region of a row, in lists that are limited to the region of the page. */
  readonly regionOf?: ((row: Row) => string) | undefined;
  /** Instead of the usual button that creates, if that happens on another page. */
  readonly create?: ReactNode;
  /** Beside the title, before the button that creates. */
  readonly head?: ReactNode;
  /** Instead of the usual sentence about the error. */
  readonly problem?: ReactNode;
  /** Below the title, also while there are no rows. */
  readonly above?: ReactNode;
  /** Above the filter and the table. */
  readonly children?: ReactNode;
  readonly below?: ReactNode;
}

export interface Groups<Row> {
  readonly of: (row: Row) => string;
  readonly titleOf: (group: string) => string;
  /** The title of all rows. */
  readonly all: string;
  /** The groups that are offered even if they are empty. */
  readonly always?: readonly string[];
  /** Whether a group exists, even if no row is in it and it is not offered. */
  readonly exists?: (group: string) => boolean;
}

const none: readonly never[] = [];

/** A list with a filter, an order, a button that creates, and a menu for each row. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { texts, icon, state, rows, error, idOf, nameOf, textOf, createReason, onOpen, stale, children } = props;
  const { loading = false, order = 'name', groups, regionOf, head, problem, above, below } = props;
  const { search, set, open } = state;
  const inRegion = useRowsOfRegion(rows ?? none, regionOf);
  const found = useMemo(() => matching(inRegion, search.q, textOf), [inRegion, search.q, textOf]);
  const { chip = '' } = search;
  const ofGroup = (all: readonly Row[]) => (groups && chip !== '' ? all.filter((row) => groups.of(row) === chip) : all);
  const shown = ofGroup(found);
  const isKnown =
    groups?.always?.includes(chip) === true ||
    groups?.exists?.(chip) === true ||
    rows?.some((row) => groups?.of(row) === chip) !== false;
  useUnknownValue('chip', search.chip, isKnown);
  const columns = withActions(props);
  const isLoading = rows === undefined && !error;
  const create =
    props.create ??
    (texts.create !== undefined && (
      <Button
        kind="primary"
        {...(createReason === undefined ? {} : { reason: createReason })}
        onClick={() => {
          open('new');
        }}
      >
        <Icon name="plus" />
        {texts.create}
      </Button>
    ));
  return (
    <Page
      title={texts.title}
      actions={
        <>
          {head}
          {create}
        </>
      }
    >
      {error && (problem ?? <Problem error={error} />)}
      {above}
      {rows?.length === 0 && (
        <Empty icon={icon} title={texts.empty} action={create} command={texts.command}>
          <p>{texts.emptyText}</p>
        </Empty>
      )}
      {(isLoading || (rows !== undefined && rows.length > 0)) && (
        <div className={`flex min-w-0 flex-col gap-4 ${isLoading ? afterAMoment : ''}`}>
          {children}
          <FilterBar
            label={texts.filter}
            text={search.q ?? ''}
            onText={(q) => {
              set({ q });
            }}
            loading={loading && !isLoading}
            {...(groups && { chips: chipsOf(found, groups, isLoading) })}
            chip={chip}
            onChip={(group) => {
              set({ chip: group });
            }}
          >
            {regionOf && <RegionChip />}
          </FilterBar>
          <Table
            label={texts.title}
            rows={shown}
            columns={columns}
            idOf={idOf}
            nameOf={nameOf}
            sort={search.sort ?? order}
            onSort={(sort) => {
              set({ sort: sort === order ? '' : sort });
            }}
            {...(onOpen ? { onOpen } : {})}
            stale={stale ?? false}
            loading={isLoading}
            empty={
              <NothingShown
                hidden={
                  shown.length > 0 || inRegion === rows ? 0 : ofGroup(matching(rows ?? none, search.q, textOf)).length
                }
                onClear={() => {
                  set({ q: '', chip: '' });
                }}
              />
            }
          />
          {below}
        </div>
      )}
    </Page>
  );
}

function chipsOf<Row>(
  rows: readonly Row[],
  { of, titleOf, all, always = [] }: Groups<Row>,
  isLoading: boolean,
): readonly Chip[] {
  const counts = new Map(always.map((group) => [group, 0]));
  for (const row of rows) counts.set(of(row), (counts.get(of(row)) ?? 0) + 1);
  return [
    { key: '', title: all, count: isLoading ? undefined : rows.length },
    ...[...counts].map(([key, count]) => ({ key, title: titleOf(key), count: isLoading ? undefined : count })),
  ];
}

function matching<Row>(rows: readonly Row[], text: string | undefined, textOf: (row: Row) => string): readonly Row[] {
  const wanted = (text ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return rows.filter((row) => {
    const all = textOf(row).toLowerCase();
    return wanted.every((word) => all.includes(word));
  });
}

function withActions<Row>({ columns, actions = [], nameOf, asked }: ListPageProps<Row>): readonly Column<Row>[] {
  if (actions.length === 0) return columns;
  return [
    ...columns,
    {
      key: 'actions',
      title: words.parts.actions,
      hideTitle: true,
      width: '2rem',
      cell: (row) => (
        <Menu
          trigger={
            <IconButton label={words.parts.actionsOf(nameOf(row))}>
              <Icon name="more" />
            </IconButton>
          }
        >
          {asked ? (
            <AskedActions row={row} actions={actions} asked={asked(row)} />
          ) : (
            <RowActions row={row} actions={actions} />
          )}
        </Menu>
      ),
    },
  ];
}

interface RowActionsProps<Row> {
  readonly row: Row;
  readonly actions: readonly RowAction<Row>[];
  /** Why the service refuses an action now. */
  readonly against?: ReasonAgainst;
}

function RowActions<Row>({ row, actions, against }: RowActionsProps<Row>) {
  return actions.map(({ title, icon, danger, reason, asks, run }) => (
    <MenuItem
      key={title}
      icon={icon}
      danger={danger ?? false}
      reason={reason?.(row) ?? (asks === undefined ? undefined : against?.(asks))}
      onSelect={() => {
        run(row);
      }}
    >
      {title}
    </MenuItem>
  ));
}

/** Only drawn while the menu is open, so that the service is asked about this row only. */
function AskedActions<Row>({ asked, ...rest }: Omit<RowActionsProps<Row>, 'against'> & { readonly asked: Asked }) {
  return <RowActions {...rest} against={useActions(asked)} />;
}
