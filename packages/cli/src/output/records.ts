import type { GlobalOptions } from '../global-options.ts';
import type { Terminal } from '../terminal.ts';
import { coloursFor, paintStatus } from './colours.ts';
import { documentText } from './print.ts';
import { choiceAmong, inOrder } from './table-choice.ts';
import type { TableOptions } from './table-options.ts';
import { hiddenColumns, renderTable, tooNarrowFor, widthOf, type TableColumn } from './table.ts';

export interface RecordColumn<Row> extends TableColumn {
  readonly value: (row: Row) => string;
  /** By what it is sorted, if not by its text. */
  readonly key?: (row: Row) => string;
  /** Shown only with `-o wide`, or if it is named. */
  readonly wide?: boolean;
}

/** Things that are not resources, and how they are listed: with the same options as resources. */
export interface Records<Row> {
  readonly plural: string;
  readonly columns: readonly RecordColumn<Row>[];
  /** How a command names one of them, for `-o name`. */
  readonly handle: (row: Row) => string;
}

export interface RecordsPrinting {
  readonly terminal: Terminal;
  readonly options: GlobalOptions & TableOptions;
  /** The response of the API, for `-o json` and `-o yaml`. */
  readonly document: unknown;
}

export async function printRecords<Row>(
  { plural, columns, handle }: Records<Row>,
  rows: readonly Row[],
  { terminal: { stdout, stderr, env }, options, document }: RecordsPrinting,
): Promise<void> {
  const {
    columns: chosen,
    sort,
    headers,
  } = choiceAmong({ plural, known: columns.map(({ header }) => header) }, options);
  const sorting = columns.find(({ header }) => header === sort?.column);
  const key = sorting?.key ?? sorting?.value;
  const ordered = key
    ? inOrder(
        rows.map((row) => ({ row, key: key(row) })),
        sort?.descending ?? false,
      ).map(({ row }) => row)
    : rows;
  const { output = 'table' } = options;
  if (output === 'json' || output === 'yaml') return void stdout.write(await documentText(output, document));
  if (output === 'name') return void stdout.write(ordered.map((row) => `${handle(row)}\n`).join(''));
  if (rows.length === 0) return void stderr.write(`there are no ${plural}\n`);
  const colours = coloursFor(stdout, env);
  const shown =
    chosen?.flatMap((header, index) =>
      columns.filter((column) => column.header === header).map((column) => ({ ...column, rank: -index })),
    ) ?? columns.filter(({ wide = false }) => output === 'wide' || !wide);
  const cells = ordered.map((row) =>
    shown.map(({ header, value }) => {
      const text = value(row) || '-';
      return header === 'STATUS' ? { text, paint: (painted: string) => paintStatus(colours, painted) } : text;
    }),
  );
  const width = widthOf(stdout);
  stdout.write(renderTable(shown, cells, { width, paintHeader: colours.dim, withoutHeaders: !headers }));
  const hidden = hiddenColumns(shown, cells, { width });
  if (hidden.length > 0 && (output === 'wide' || chosen)) stderr.write(colours.dim(tooNarrowFor(hidden)));
}
