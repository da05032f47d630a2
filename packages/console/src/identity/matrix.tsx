import { useMutation } from '@tanstack/react-query';
import { Fragment, useState, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';

import { limits } from '../limits.ts';
import { Button, Spinner } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Code } from '../parts/copy.tsx';
import { Icon } from '../parts/icon.tsx';
import { Problem } from '../parts/problem.tsx';
import { Bar, BarOfLine, Loading, repeated } from '../parts/skeleton.tsx';
import { Tooltip } from '../parts/tooltip.tsx';
import { number, words } from '../words/index.ts';

const texts = words.identity.matrix;

interface Named {
  readonly metadata: { readonly id: string; readonly name: string };
}

export interface MatrixProps<Row extends Named, Column extends Named> {
  readonly label: string;
  /** What the rows are. */
  readonly corner: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column[];
  /** Rows and columns are not known yet: grey ones stand for them. */
  readonly loading: boolean;
  /** Why nothing in a column can be changed. */
  readonly lockOfColumn?: (column: Column) => string | undefined;
  /** Why a place cannot be changed. */
  readonly lockOf: (row: Row, column: Column) => string | undefined;
  readonly isOn: (row: Row, column: Column) => boolean;
  /** What happens when a place is emptied: people lose access, so it is asked before. */
  readonly loss: (row: Row, column: Column) => string;
  /** Changes one place of a row, and keeps what others change in the row at the same time. */
  readonly change: (row: Row, column: Column, on: boolean) => Promise<unknown>;
  /** The change of a place as a command, file and request. */
  readonly same: (row: Row, column: Column, on: boolean) => ReactNode;
  /** The command line in general, until a place is chosen. */
  readonly command: string;
}

/** The change of a place that a click would make, or has just made. */
interface Choice<Row, Column> {
  readonly row: Row;
  readonly column: Column;
  readonly on: boolean;
}

/**
 * Rows and columns with a box at each place. A click saves it, after a question if it takes
 * access away. The box changes when the list says so.
 */
export function Matrix<Row extends Named, Column extends Named>(props: MatrixProps<Row, Column>) {
  const { label, corner, rows, columns, loading, lockOfColumn, same, command } = props;
  const [all, setAll] = useState(false);
  const [chosen, choose] = useState<Choice<Row, Column>>();
  const shown = all ? rows : rows.slice(0, limits.matrixRows);
  return (
    <>
      {loading ? (
        <GridSkeleton corner={corner} />
      ) : (
        // Focusable, so that the keyboard can scroll.
        <div tabIndex={0} role="group" aria-label={label} className={gridLook}>
          <Grid
            label={label}
            corner={corner}
            titles={columns.map((column) => (
              <ColumnTitle key={column.metadata.id} lock={lockOfColumn?.(column)}>
                {column.metadata.name}
              </ColumnTitle>
            ))}
          >
            {shown.map((row) => (
              <MatrixRow key={row.metadata.id} row={row} onChoose={choose} {...props} />
            ))}
          </Grid>
        </div>
      )}
      {shown.length < rows.length && (
        <Button
          className="self-start"
          onClick={() => {
            setAll(true);
          }}
        >
          {texts.showAll(number(rows.length))}
        </Button>
      )}
      {chosen ? (
        <section aria-label={words.parts.same.title} className="flex max-w-3xl flex-col gap-1.5">
          <p className="text-muted">
            {texts[chosen.on ? 'addTitle' : 'removeTitle'](chosen.column.metadata.name, chosen.row.metadata.name)}
          </p>
          {same(chosen.row, chosen.column, chosen.on)}
        </section>
      ) : (
        <Code label={words.parts.command} text={command} />
      )}
    </>
  );
}

const gridLook = 'w-fit max-w-full overflow-x-auto rounded-lg border border-line bg-surface';

/** The titles of a matrix, and its rows. */
function Grid({
  label,
  corner,
  titles,
  children,
}: {
  readonly label: string;
  readonly corner: string;
  readonly titles: readonly ReactElement[];
  readonly children: ReactNode;
}) {
  return (
    <table className="text-start" onKeyDown={moveFocus}>
      <caption className="sr-only">{label}</caption>
      <thead>
        <tr className="border-b border-line text-sm text-muted">
          <th scope="col" className="sticky start-0 bg-surface px-4 py-2 text-start font-medium">
            {corner}
          </th>
          {titles.map((title) => (
            <th key={title.key} scope="col" className="px-3 py-2 font-medium whitespace-nowrap">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** The name of a row, and its places. */
function GridRow({ name, places }: { readonly name: ReactNode; readonly places: readonly ReactElement[] }) {
  return (
    <tr className="border-b border-line last:border-b-0">
      <th
        scope="row"
        className="sticky start-0 max-w-40 bg-surface px-4 text-start font-medium break-words sm:max-w-80"
      >
        {name}
      </th>
      {places.map((place) => (
        <td key={place.key} className="px-3">
          {place}
        </td>
      ))}
    </tr>
  );
}

/** The same in each of some columns. */
function inEachColumn(drawn: ReactElement): readonly ReactElement[] {
  return repeated(limits.skeletonColumns, (index) => <Fragment key={index}>{drawn}</Fragment>);
}

/** A matrix before its rows and columns are known. */
function GridSkeleton({ corner }: { readonly corner: string }) {
  return (
    <Loading className={gridLook}>
      <div aria-hidden="true">
        <Grid label="" corner={corner} titles={inEachColumn(<BarOfLine className="w-20" />)}>
          {repeated(limits.skeletonRows, (index) => (
            <GridRow
              key={index}
              name={<BarOfLine className="w-28" />}
              places={inEachColumn(
                <span className={placeLook}>
                  <Bar className="size-4" />
                </span>,
              )}
            />
          ))}
        </Grid>
      </div>
    </Loading>
  );
}

const steps: Readonly<Partial<Record<string, readonly [down: number, right: number]>>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The arrow keys move from place to place: with the tab key alone, a large table takes too long. */
function moveFocus(event: KeyboardEvent<HTMLTableElement>) {
  const { target, currentTarget, key } = event;
  const step = steps[key];
  if (!step || !(target instanceof HTMLInputElement)) return;
  const places = [...currentTarget.querySelectorAll('tr')]
    .map((row) => [...row.querySelectorAll('input')])
    .filter((row) => row.length > 0);
  const row = places.findIndex((each) => each.includes(target));
  const column = places[row]?.indexOf(target);
  if (column === undefined) return;
  event.preventDefault();
  places[row + step[0]]?.[column + step[1]]?.focus();
}

function ColumnTitle({ lock, children }: { readonly lock: string | undefined; readonly children: string }) {
  if (lock === undefined) return children;
  return (
    <Tooltip text={lock}>
      <span tabIndex={0} role="note" aria-label={`${children}: ${lock}`} className="inline-flex items-center gap-1">
        <Icon name="lock" className="size-3.5" />
        {children}
      </span>
    </Tooltip>
  );
}

function MatrixRow<Row extends Named, Column extends Named>({
  row,
  columns,
  lockOf,
  isOn,
  loss,
  change,
  same,
  onChoose,
}: MatrixProps<Row, Column> & {
  readonly row: Row;
  readonly onChoose: (choice: Choice<Row, Column>) => void;
}) {
  const [leaving, setLeaving] = useState<Column>();
  const [asked, setAsked] = useState<{ readonly column: string; readonly seen: Row }>();
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: ({ column, on }: { readonly column: Column; readonly on: boolean }) => change(row, column, on),
  });
  // Saved, but the list does not show it yet.
  const isArriving = isSuccess && asked?.seen === row;
  const busy = isPending || isArriving ? asked?.column : undefined;
  const save = (column: Column, on: boolean) => {
    onChoose({ row, column, on });
    setAsked({ column: column.metadata.id, seen: row });
    mutate({ column, on });
  };
  return (
    <>
      <GridRow
        name={row.metadata.name}
        places={columns.map((column) => {
          const { id, name } = column.metadata;
          return (
            <Place
              key={id}
              label={texts.place(row.metadata.name, name)}
              on={isOn(row, column)}
              busy={busy === id}
              waits={busy !== undefined}
              lock={lockOf(row, column)}
              onFocus={() => {
                onChoose({ row, column, on: !isOn(row, column) });
              }}
              onChange={(on) => {
                if (on) save(column, on);
                else setLeaving(column);
              }}
            />
          );
        })}
      />
      {error !== null && (
        <tr className="border-b border-line">
          <td colSpan={columns.length + 1} className="px-4 py-2">
            {/* Beside the place that could not be changed, also while the table is scrolled sideways. */}
            <div className="sticky start-4 max-w-[min(40rem,80vw)]">
              <Problem error={error} />
            </div>
          </td>
        </tr>
      )}
      {leaving && (
        <Confirm
          open
          danger
          title={texts.removeTitle(leaving.metadata.name, row.metadata.name)}
          action={texts.remove}
          busy={false}
          error={null}
          onClose={() => {
            setLeaving(undefined);
          }}
          onConfirm={() => {
            setLeaving(undefined);
            save(leaving, false);
          }}
        >
          <p>{loss(row, leaving)}</p>
          {same(row, leaving, false)}
        </Confirm>
      )}
    </>
  );
}

const placeLook = 'relative mx-auto grid size-8 place-items-center';

function Place({
  label,
  on,
  busy,
  waits,
  lock,
  onFocus,
  onChange,
}: {
  readonly label: string;
  readonly on: boolean;
  readonly busy: boolean;
  /** Another place of the row is being saved, or this one. */
  readonly waits: boolean;
  /** It stays focusable, so that everyone can read the reason. */
  readonly lock: string | undefined;
  readonly onFocus: () => void;
  readonly onChange: (on: boolean) => void;
}) {
  const reason = lock ?? (waits ? texts.saving : undefined);
  // The box is never replaced, also not while it is saved: it would lose the focus of the keyboard.
  const box = (
    <input
      type="checkbox"
      aria-label={label}
      checked={on}
      aria-disabled={reason === undefined ? undefined : true}
      aria-description={reason}
      aria-busy={busy ? true : undefined}
      className={`size-4 accent-accent ${lock === undefined ? '' : 'cursor-not-allowed opacity-50'} ${busy ? 'opacity-25' : ''}`}
      onFocus={onFocus}
      onChange={(event) => {
        if (reason === undefined) onChange(event.target.checked);
      }}
    />
  );
  return (
    <label className={placeLook}>
      {lock === undefined ? box : <Tooltip text={lock}>{box}</Tooltip>}
      {busy && (
        <span
          role="status"
          aria-label={texts.saving}
          className="pointer-events-none absolute inset-0 grid place-items-center"
        >
          <Spinner />
        </span>
      )}
    </label>
  );
}
