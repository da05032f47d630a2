import { useLocation } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';

import { limits } from '../limits.ts';
import { usePreferences } from '../session/preferences.ts';
import { words } from '../words/index.ts';
import { changedPlaces } from './counting.ts';
import { Icon } from './icon.tsx';
import { isTyping } from './is-typing.ts';
import { Bar } from './skeleton.tsx';
import { useKeptPlace } from './kept-place.ts';
import { SortedRows } from './sorting.ts';

export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** The value by which rows are sorted; without it, the column cannot be sorted. */
  readonly sort?: (row: Row) => string | number;
  /** Whether the title is only for screen readers. */
  readonly hideTitle?: boolean;
  /** Whether the title stands before the value on a narrow screen, where there is no row of titles. */
  readonly labelled?: boolean;
  /** A width in CSS, such as `minmax(10rem, 2fr)`. */
  readonly width?: string;
  /** Whether the column is only shown when it is chosen. */
  readonly optional?: boolean;
}

export interface TableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly idOf: (row: Row) => string;
  readonly nameOf: (row: Row) => string;
  /** The key of a column, with a minus before it for the reverse order. */
  readonly sort?: string | undefined;
  readonly onSort?: ((sort: string) => void) | undefined;
  readonly selection?: ReadonlySet<string> | undefined;
  readonly onSelect?: ((ids: ReadonlySet<string>) => void) | undefined;
  readonly onOpen?: ((row: Row) => void) | undefined;
  /** Shown greyed, because it may not be current. */
  readonly stale?: boolean;
  /** The rows are not known yet: grey ones stand for them. */
  readonly loading?: boolean;
  /** What to show when there are no rows. */
  readonly empty?: ReactNode;
}

/** As `--row` in the style sheet. */
const rowHeights = { compact: 40, comfortable: 48 } as const;

/**
 * A table whose order and selection belong to the page, which keeps them in the URL. Rows do not move under the
 * pointer: while it is over the table, they keep their order, and a button sorts them again. Many rows are drawn only
 * where they are visible.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { label, columns, idOf, sort, onSort, selection, onSelect, stale = false, loading = false, empty } = props;
  const [holding, setHolding] = useState(false);
  const sorted = useSorted(props);
  const rows = useHeldOrder(sorted, props, holding);
  const isOutOfOrder = rows !== sorted && rows.some((row, place) => row !== sorted[place]);
  const scroller = useRef<HTMLDivElement>(null);
  const place = useLocation({ select: ({ pathname }) => `${pathname} ${label}` });
  useKeptPlace({ id: place, element: () => scroller.current });
  const focus = useFocusOfRows(rows, idOf, scroller);
  const virtual = rows.length > limits.virtualRows;
  const { density } = usePreferences();
  const virtualizer = useVirtualizer({
    count: virtual ? rows.length : 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeights[density],
    overscan: 12,
  });
  const drawn = useDrawnRows(props);
  const template = templateOf(props);
  const items = virtual ? virtualizer.getVirtualItems() : [];
  const [first, last] = [items.at(0), items.at(-1)];
  const shown = virtual
    ? items.flatMap(({ index }) => {
        const row = rows[index];
        return row === undefined ? [] : [{ row, index }];
      })
    : rows.map((row, index) => ({ row, index }));
  const all = useMemo(
    () => selection !== undefined && rows.length > 0 && rows.every((row) => selection.has(idOf(row))),
    [rows, selection, idOf],
  );
  return (
    <div
      ref={scroller}
      data-scroll-restoration-id={place}
      tabIndex={-1}
      className={`overflow-auto rounded-lg border border-line bg-surface ${virtual ? 'max-h-[calc(100dvh-15rem)] min-h-80' : ''} ${stale ? 'text-muted grayscale' : ''}`}
      onPointerMove={() => {
        setHolding(true);
      }}
      onPointerLeave={() => {
        setHolding(false);
      }}
      onKeyDown={moveFocus}
      {...focus}
    >
      {isOutOfOrder && (
        <div className="sticky top-10 left-0 z-20 flex h-0 justify-center">
          <button
            type="button"
            className="flex h-7 items-center gap-1.5 rounded-full bg-accent px-3 text-sm font-medium text-on-accent shadow-pop hover:bg-accent-hover"
            onClick={() => {
              setHolding(false);
            }}
          >
            <Icon name="upDown" className="size-3" />
            {words.parts.sortAgain}
          </button>
        </div>
      )}
      <div role="table" aria-label={label} aria-rowcount={rows.length + 1} className="min-w-fit">
        <div
          role="row"
          aria-rowindex={1}
          className="sticky top-0 z-10 grid items-center gap-x-3 border-b border-line bg-surface px-3 text-sm font-medium text-muted max-sm:hidden"
          style={{ gridTemplateColumns: template, height: 34 }}
        >
          {onSelect && selection && (
            <div role="columnheader" className="grid place-items-start">
              <input
                type="checkbox"
                aria-label={words.parts.selectAll}
                className="size-4 accent-accent"
                checked={all}
                onChange={() => {
                  onSelect(all ? new Set() : new Set(rows.map(idOf)));
                }}
              />
            </div>
          )}
          {columns.map((column) => (
            <Header key={column.key} column={column} sort={sort} onSort={onSort} />
          ))}
        </div>
        {first && <div role="presentation" style={{ height: first.start }} />}
        {shown.map(({ row, index }) => drawn(row, index))}
        {last && <div role="presentation" style={{ height: virtualizer.getTotalSize() - last.end }} />}
      </div>
      {loading && <RowsSkeleton columns={columns} template={template} selectable={onSelect !== undefined} />}
      {rows.length === 0 && !loading && (
        <div className="p-8 text-center text-muted">{empty ?? words.parts.nothingMatches}</div>
      )}
    </div>
  );
}

/** The widths of all columns, in CSS. */
function templateOf<Row>({ columns, onSelect }: TableProps<Row>): string {
  return [...(onSelect ? ['1rem'] : []), ...columns.map(({ width }) => width ?? 'minmax(5.5rem, 1fr)')].join(' ');
}

/**
 * Draws a row. A row that is the same as at the last time is not drawn again: while a long list is scrolled, or follows
 * many changes, only few rows are new.
 */
function useDrawnRows<Row>(props: TableProps<Row>): (row: Row, index: number) => ReactNode {
  const latest = useRef(props);
  latest.current = props;
  const before = useRef(new Map<string, DrawnRow>());
  const now = new Map<string, DrawnRow>();
  useEffect(() => {
    before.current = now;
  });
  const { columns, idOf, selection, onSelect, onOpen } = props;
  const template = templateOf(props);
  return (row, index) => {
    const id = idOf(row);
    const selected = onSelect ? (selection?.has(id) ?? false) : undefined;
    const of = [row, index, selected, columns, template, onOpen === undefined];
    const same = before.current.get(id);
    const drawn =
      same?.of.every((each, place) => each === of[place]) === true
        ? same
        : { of, element: <RowView key={id} {...{ row, index, id, selected, columns, template, latest }} /> };
    now.set(id, drawn);
    return drawn.element;
  };
}

interface DrawnRow {
  /** Everything that decides what the row looks like. */
  readonly of: readonly unknown[];
  readonly element: ReactNode;
}

function RowView<Row>({
  row,
  index,
  id,
  selected,
  columns,
  template,
  latest,
}: {
  readonly row: Row;
  readonly index: number;
  readonly id: string;
  /** Undefined in tables without a selection. */
  readonly selected: boolean | undefined;
  readonly columns: readonly Column<Row>[];
  readonly template: string;
  /** What to do when the user acts. It may be newer than the row on the screen. */
  readonly latest: { readonly current: TableProps<Row> };
}) {
  const { nameOf, onOpen } = latest.current;
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-row={id}
      tabIndex={-1}
      className={`${rowLook} ${selected === true ? 'bg-selected' : 'hover:bg-hover'} ${onOpen ? 'cursor-pointer' : ''}`}
      style={{ gridTemplateColumns: template, minHeight: 'var(--row)' }}
      onClick={(event) => {
        if (!isInRow(event) || hasSelectedText()) return;
        if (event.ctrlKey || event.metaKey) openInTab(event.currentTarget);
        else latest.current.onOpen?.(row);
      }}
    >
      {selected !== undefined && (
        <div role="cell" className="grid place-items-start">
          <input
            type="checkbox"
            aria-label={words.parts.selectRow(nameOf(row))}
            className="size-4 accent-accent"
            checked={selected}
            onChange={() => {
              const next = new Set(latest.current.selection);
              if (selected) next.delete(id);
              else next.add(id);
              latest.current.onSelect?.(next);
            }}
          />
        </div>
      )}
      {columns.map((column, place) => (
        <div key={column.key} role="cell" className={`min-w-0 truncate ${placeOnCard(column, place)}`}>
          {column.labelled === true && <span className="sm:hidden">{column.title} </span>}
          {column.cell(row)}
        </div>
      ))}
      <div role="presentation" className="order-1 hidden h-0 basis-full max-sm:block" />
    </div>
  );
}

function RowsSkeleton<Row>({
  columns,
  template,
  selectable,
}: {
  readonly columns: readonly Column<Row>[];
  readonly template: string;
  readonly selectable: boolean;
}) {
  return (
    <div role="status" aria-label={words.parts.loading}>
      {Array.from({ length: limits.skeletonRows }, (_unused, index) => (
        <div
          key={index}
          data-skeleton
          className={rowLook}
          style={{ gridTemplateColumns: template, minHeight: 'var(--row)' }}
        >
          {selectable && <Bar className="size-4" />}
          {columns.map((column, place) => (
            <div key={column.key} className={`flex h-lh min-w-0 items-center ${placeOnCard(column, place)}`}>
              {column.hideTitle !== true && <Bar className="h-3 w-2/3 max-sm:w-20" />}
            </div>
          ))}
          <div className="order-1 hidden h-0 basis-full max-sm:block" />
        </div>
      ))}
    </div>
  );
}

const rowLook =
  'grid items-center gap-x-3 border-b border-line px-3 py-1 last:border-b-0 max-sm:flex max-sm:flex-wrap max-sm:gap-y-0.5 max-sm:py-2';

/** On a narrow screen, a row is a card: name, status and menu first, then everything else. */
function placeOnCard<Row>({ hideTitle = false }: Column<Row>, place: number): string {
  if (place === 0) return 'max-sm:min-w-24 max-sm:grow max-sm:basis-0';
  if (place === 1) return '';
  return hideTitle ? 'max-sm:-my-1' : 'max-sm:order-2 max-sm:text-sm max-sm:text-muted max-sm:empty:hidden';
}

function Header<Row>({
  column,
  sort,
  onSort,
}: {
  readonly column: Column<Row>;
  readonly sort: string | undefined;
  readonly onSort: ((sort: string) => void) | undefined;
}) {
  const order = sort === column.key ? 'ascending' : sort === `-${column.key}` ? 'descending' : undefined;
  return (
    <div role="columnheader" aria-sort={order} className="min-w-0">
      {column.sort && onSort ? (
        <button
          type="button"
          aria-label={words.parts.sortBy(column.title)}
          className={`group -mx-1 inline-flex h-6 max-w-full items-center gap-1 rounded px-1 whitespace-nowrap hover:text-text ${order ? 'text-text' : ''}`}
          onClick={() => {
            onSort(order === 'ascending' ? `-${column.key}` : column.key);
          }}
        >
          <span className="truncate">{column.title}</span>
          <Icon
            name={order === undefined ? 'upDown' : 'chevronDown'}
            className={`size-3 shrink-0 ${order === undefined ? 'opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60' : ''} ${order === 'ascending' ? 'rotate-180' : ''}`}
          />
        </button>
      ) : (
        <span className={column.hideTitle === true ? 'sr-only' : 'truncate'}>{column.title}</span>
      )}
    </div>
  );
}

function useSorted<Row>({ rows, columns, sort, idOf }: TableProps<Row>): readonly Row[] {
  const [sorted] = useState(() => new SortedRows<Row>());
  return useMemo(() => {
    const column = columns.find(({ key }) => key === sort?.replace(/^-/, ''));
    const value = column?.sort;
    if (!value) return rows;
    return sorted.sort(rows, { name: sort ?? '', value, descending: sort?.startsWith('-') === true, idOf });
  }, [sorted, rows, columns, sort, idOf]);
}

/**
 * The rows in the order that they had when the pointer came, with new ones at the end. If the user chooses another
 * order, it is that one.
 */
function useHeldOrder<Row>(
  sorted: readonly Row[],
  { idOf, sort }: Pick<TableProps<Row>, 'idOf' | 'sort'>,
  holding: boolean,
): readonly Row[] {
  const order = useRef<readonly Row[]>([]);
  const sortBefore = useRef(sort);
  return useMemo(() => {
    const isFree = !holding || sort !== sortBefore.current;
    sortBefore.current = sort;
    if (isFree || isSameOrder(order.current, sorted, idOf)) order.current = sorted;
    if (order.current === sorted) return sorted;
    const left = new Map(sorted.map((row) => [idOf(row), row]));
    const held = order.current.flatMap((before) => {
      const id = idOf(before);
      const row = left.get(id);
      left.delete(id);
      return row === undefined ? [] : [row];
    });
    return [...held, ...left.values()];
  }, [sorted, idOf, sort, holding]);
}

/** Whether rows were only replaced by newer ones at the same places. */
function isSameOrder<Row>(before: readonly Row[], after: readonly Row[], idOf: (row: Row) => string): boolean {
  const isSameRow = (place: number) => {
    const [one, other] = [before[place], after[place]];
    return one !== undefined && other !== undefined && idOf(one) === idOf(other);
  };
  return changedPlaces(before, after)?.every(isSameRow) === true;
}

/** A click on the row itself: not on a control in it, and not in a menu of it, which is drawn elsewhere. */
function isInRow({ target, currentTarget }: React.MouseEvent): boolean {
  return (
    target instanceof Element && currentTarget.contains(target) && target.closest('a, button, input, label') === null
  );
}

/** A drag over the text of a row selects it, and ends with a click. */
function hasSelectedText(): boolean {
  return getSelection()?.isCollapsed === false;
}

function openInTab(row: Element): void {
  const link = row.querySelector('a');
  if (link) open(link.href, '_blank', 'noopener');
}

/**
 * Gives the focus of a row that is deleted to the row that takes its place. Without it, keys would have no effect any
 * more.
 */
function useFocusOfRows<Row>(
  rows: readonly Row[],
  idOf: (row: Row) => string,
  scroller: RefObject<HTMLElement | null>,
) {
  const last = useRef<{ readonly id: string; readonly place: string }>(undefined);
  useEffect(() => {
    const { current } = last;
    if (!current || document.activeElement !== document.body || rows.some((row) => idOf(row) === current.id)) return;
    last.current = undefined;
    const next = scroller.current?.querySelector<HTMLElement>(`[aria-rowindex="${current.place}"]`);
    (next ?? scroller.current)?.focus({ preventScroll: true });
  }, [rows, idOf, scroller]);
  return {
    onFocus: ({ target }: React.FocusEvent) => {
      const row = target.closest<HTMLElement>('[data-row]');
      last.current = row ? { id: row.dataset['row'] ?? '', place: row.getAttribute('aria-rowindex') ?? '' } : undefined;
    },
    onBlur: ({ relatedTarget }: React.FocusEvent) => {
      if (relatedTarget) last.current = undefined;
    },
  };
}

/** `j` and `k` move between rows, `x` selects, Enter opens. */
function moveFocus(event: React.KeyboardEvent<HTMLDivElement>): void {
  const { target, currentTarget, key } = event;
  if (!(target instanceof HTMLElement) || isTyping(target)) return;
  const rows = [...currentTarget.querySelectorAll<HTMLElement>('[data-row]')];
  const row = target.closest<HTMLElement>('[data-row]');
  const at = row ? rows.indexOf(row) : -1;
  if (key === 'j' || key === 'k') rows[at + (key === 'j' ? 1 : -1)]?.focus();
  else if (key === 'x') row?.querySelector<HTMLElement>('input[type=checkbox]')?.click();
  else if (key === 'Enter' && target === row) row.click();
  else return;
  event.preventDefault();
}
