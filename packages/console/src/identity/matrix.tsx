import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';

import { limits } from '../limits.ts';
import { Button, Spinner } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Icon } from '../parts/icon.tsx';
import { Notice } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
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
  /** Why nothing in a column can be changed. */
  readonly lockOfColumn?: (column: Column) => string | undefined;
  /** Why a place cannot be changed. */
  readonly lockOf: (row: Row, column: Column) => string | undefined;
  readonly isOn: (row: Row, column: Column) => boolean;
  /** What happens when a place is emptied: people lose access, so it is asked before. */
  readonly loss: (row: Row, column: Column) => string;
  /** Writes a place over the version of the row that the user saw. Returns whether it was written. */
  readonly change: (row: Row, column: Column, on: boolean) => Promise<boolean>;
}

/**
 * Rows and columns with a box at each place. A click saves it, after a question if it takes
 * access away. The box changes when the list says so.
 */
export function Matrix<Row extends Named, Column extends Named>(props: MatrixProps<Row, Column>) {
  const { label, corner, rows, columns, lockOfColumn } = props;
  const [all, setAll] = useState(false);
  const shown = all ? rows : rows.slice(0, limits.matrixRows);
  return (
    <>
      {/* Focusable, so that the keyboard can scroll. */}
      <div
        tabIndex={0}
        role="group"
        aria-label={label}
        className="w-fit max-w-full overflow-x-auto rounded-lg border border-line bg-surface"
      >
        <table className="text-start">
          <caption className="sr-only">{label}</caption>
          <thead>
            <tr className="border-b border-line text-sm text-muted">
              <th scope="col" className="sticky start-0 bg-surface px-4 py-2 text-start font-medium">
                {corner}
              </th>
              {columns.map((column) => (
                <th key={column.metadata.id} scope="col" className="px-3 py-2 font-medium whitespace-nowrap">
                  <ColumnTitle lock={lockOfColumn?.(column)}>{column.metadata.name}</ColumnTitle>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <MatrixRow key={row.metadata.id} row={row} {...props} />
            ))}
          </tbody>
        </table>
      </div>
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
    </>
  );
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
}: MatrixProps<Row, Column> & { readonly row: Row }) {
  const [leaving, setLeaving] = useState<Column>();
  const [asked, setAsked] = useState<{ readonly column: string; readonly seen: Row }>();
  const { mutate, isPending, isSuccess, data, error } = useMutation({
    mutationFn: ({ column, on }: { readonly column: Column; readonly on: boolean }) => change(row, column, on),
  });
  // Saved, but the list does not show it yet.
  const isArriving = isSuccess && data && asked?.seen === row;
  const busy = isPending || isArriving ? asked?.column : undefined;
  const refused = isSuccess && !data;
  const save = (column: Column, on: boolean) => {
    setAsked({ column: column.metadata.id, seen: row });
    mutate({ column, on });
  };
  return (
    <>
      <tr className="border-b border-line last:border-b-0">
        <th
          scope="row"
          className="sticky start-0 max-w-40 bg-surface px-4 text-start font-medium break-words sm:max-w-80"
        >
          {row.metadata.name}
        </th>
        {columns.map((column) => {
          const { id, name } = column.metadata;
          return (
            <td key={id} className="px-3">
              <Place
                label={texts.place(row.metadata.name, name)}
                on={isOn(row, column)}
                busy={busy === id}
                lock={lockOf(row, column) ?? (busy === undefined ? undefined : texts.saving)}
                onChange={(on) => {
                  if (on) save(column, on);
                  else setLeaving(column);
                }}
              />
            </td>
          );
        })}
      </tr>
      {(error !== null || refused) && (
        <tr className="border-b border-line">
          <td colSpan={columns.length + 1} className="px-4 py-2">
            <Failure>{error ? <Problem error={error} /> : <ChangedByOther />}</Failure>
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
        </Confirm>
      )}
    </>
  );
}

/** Beside the place that could not be changed, also while the table is scrolled sideways. */
function Failure({ children }: { readonly children: ReactNode }) {
  return <div className="sticky start-4 max-w-[min(40rem,80vw)]">{children}</div>;
}

function ChangedByOther() {
  return (
    <Notice tone="warn">
      <p role="alert">{texts.changedByOther}</p>
    </Notice>
  );
}

function Place({
  label,
  on,
  busy,
  lock,
  onChange,
}: {
  readonly label: string;
  readonly on: boolean;
  readonly busy: boolean;
  /** It stays focusable, so that everyone can read the reason. */
  readonly lock: string | undefined;
  readonly onChange: (on: boolean) => void;
}) {
  if (busy)
    return (
      <span role="status" aria-label={texts.saving} className="grid size-8 place-items-center justify-self-center">
        <Spinner />
      </span>
    );
  const box = (
    <input
      type="checkbox"
      aria-label={label}
      checked={on}
      aria-disabled={lock === undefined ? undefined : true}
      aria-description={lock}
      className={`size-4 accent-accent ${lock === undefined ? '' : 'cursor-not-allowed opacity-50'}`}
      onChange={(event) => {
        if (lock === undefined) onChange(event.target.checked);
      }}
    />
  );
  return (
    <label className="mx-auto grid size-8 place-items-center">
      {lock === undefined ? box : <Tooltip text={lock}>{box}</Tooltip>}
    </label>
  );
}
