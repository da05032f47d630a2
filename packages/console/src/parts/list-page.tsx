import { useMemo, type ReactNode } from 'react';

import { words } from '../words/index.ts';
import { Button, IconButton } from './button.tsx';
import { Code } from './copy.tsx';
import { FilterBar } from './filter-bar.tsx';
import { Icon, type IconName } from './icon.tsx';
import type { ListState } from './list-state.ts';
import { Menu, MenuItem } from './menu.tsx';
import { Empty, Page, Skeleton } from './page.tsx';
import { Problem } from './problem.tsx';
import { Table, type Column } from './table.tsx';

export interface RowAction<Row> {
  readonly title: string;
  readonly icon: IconName;
  readonly danger?: boolean;
  /** Why it cannot be done now. */
  readonly reason?: ((row: Row) => string | undefined) | undefined;
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
  readonly onOpen?: (row: Row) => void;
  readonly stale?: boolean;
  /** Above the table. */
  readonly children?: ReactNode;
}

/** A list with a filter, an order, a button that creates, and a menu for each row. */
export function ListPage<Row>(props: ListPageProps<Row>) {
  const { texts, icon, state, rows, error, idOf, nameOf, textOf, createReason, onOpen, stale, children } = props;
  const { loading = false } = props;
  const { search, set, open } = state;
  const shown = useMemo(() => matching(rows ?? [], search.q, textOf), [rows, search.q, textOf]);
  const columns = withActions(props.columns, props.actions ?? [], nameOf);
  const create = texts.create !== undefined && (
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
  );
  return (
    <Page title={texts.title} actions={create}>
      {error && <Problem error={error} />}
      {rows === undefined && !error && <Skeleton />}
      {rows?.length === 0 && (
        <Empty icon={icon} title={texts.empty}>
          <p>{texts.emptyText}</p>
          {texts.command !== undefined && <Code label={words.parts.command} text={texts.command} />}
        </Empty>
      )}
      {rows !== undefined && rows.length > 0 && (
        <>
          {children}
          <FilterBar
            label={texts.filter}
            text={search.q ?? ''}
            onText={(q) => {
              set({ q });
            }}
            loading={loading}
          />
          <Table
            label={texts.title}
            rows={shown}
            columns={columns}
            idOf={idOf}
            nameOf={nameOf}
            sort={search.sort ?? 'name'}
            onSort={(sort) => {
              set({ sort: sort === 'name' ? '' : sort });
            }}
            {...(onOpen ? { onOpen } : {})}
            stale={stale ?? false}
          />
        </>
      )}
    </Page>
  );
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

function withActions<Row>(
  columns: readonly Column<Row>[],
  actions: readonly RowAction<Row>[],
  nameOf: (row: Row) => string,
): readonly Column<Row>[] {
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
          {actions.map(({ title, icon, danger, reason, run }) => (
            <MenuItem
              key={title}
              icon={icon}
              danger={danger ?? false}
              reason={reason?.(row)}
              onSelect={() => {
                run(row);
              }}
            >
              {title}
            </MenuItem>
          ))}
        </Menu>
      ),
    },
  ];
}
