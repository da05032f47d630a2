import type { Named, Noun } from '../nouns/noun.ts';
import { handleOf } from '../resources.ts';
import type { Terminal } from '../terminal.ts';
import { coloursFor, paintStatus, type Colours } from './colours.ts';
import { renderDescription } from './describe.ts';
import type { OutputFormat } from './format.ts';
import type { NameLookup } from './names.ts';
import type { TableChoice } from './table-choice.ts';
import { hiddenColumns, renderTable, tooNarrowFor, widthOf, type TableText } from './table.ts';
import { cellsOf, cellText, type Cell, type ViewOptions } from './view.ts';

export interface Printing {
  readonly terminal: Terminal;
  readonly names: NameLookup;
  readonly format: OutputFormat | undefined;
  /** Whether the output may contain several projects. */
  readonly projects?: boolean;
  readonly choice?: TableChoice;
  /** Whether the user asked for a part of the list, by its text or by tags. */
  readonly filtered?: boolean;
}

/** Prints a list: as a table by default. */
export async function printList(noun: Noun, objects: readonly Named[], printing: Printing): Promise<void> {
  const { terminal, format = 'table', filtered = false } = printing;
  switch (format) {
    case 'json':
    case 'yaml':
      terminal.stdout.write(
        await documentText(
          format,
          objects.map((object) => withKind(noun, object)),
        ),
      );
      return;
    case 'name':
      terminal.stdout.write(objects.map((object) => `${handleOf(noun, object, objects)}\n`).join(''));
      return;
    case 'table':
    case 'wide':
      if (objects.length === 0)
        terminal.stderr.write(filtered ? `no ${noun.plural} match\n` : `there are no ${noun.plural} here\n`);
      else await printTable(noun, objects, printing, format);
  }
}

async function printTable(
  noun: Noun,
  objects: readonly Named[],
  printing: Printing,
  format: 'table' | 'wide',
): Promise<void> {
  const { terminal, choice } = printing;
  const { stdout, stderr, env } = terminal;
  const rows = await rowsOf(noun, objects, viewOf(printing, format));
  stdout.write(tableOf(rows, printing));
  const hidden = hiddenIn(rows, stdout);
  if (hidden.length > 0 && (format === 'wide' || choice?.columns))
    stderr.write(coloursFor(stderr, env).dim(tooNarrowFor(hidden)));
}

/** Prints one object: as a description by default. */
export async function printOne(noun: Noun, object: Named, printing: Printing): Promise<void> {
  const { terminal, format } = printing;
  if (format === 'json' || format === 'yaml') terminal.stdout.write(await documentText(format, withKind(noun, object)));
  else if (format !== undefined) await printList(noun, [object], printing);
  else
    terminal.stdout.write(
      renderDescription(
        noun,
        object,
        await cellsOf(noun, object, { ...viewOf({ ...printing, projects: true }, 'wide'), described: true }),
        { colours: coloursFor(terminal.stdout, terminal.env), now: terminal.now() },
      ),
    );
}

/** The response of the API, with the kind first, so that `apply` and `diff` accept it as a file. */
function withKind({ name }: Noun, object: Named): object {
  return { kind: name, ...object };
}

export function viewOf({ terminal, names, projects = false, choice }: Printing, format: OutputFormat): ViewOptions {
  return { wide: format === 'wide', projects, chosen: choice?.columns, names, now: terminal.now() };
}

export async function documentText(format: 'json' | 'yaml', document: unknown): Promise<string> {
  if (format === 'json') return `${JSON.stringify(document, null, 2)}\n`;
  const { stringify } = await import('yaml');
  return stringify(document);
}

export function rowsOf(
  noun: Noun,
  objects: readonly Named[],
  options: ViewOptions,
): Promise<readonly (readonly Cell[])[]> {
  return Promise.all(objects.map((object) => cellsOf(noun, object, options)));
}

export function tableOf(
  rows: readonly (readonly Cell[])[],
  { terminal: { stdout, env }, choice }: Pick<Printing, 'terminal' | 'choice'>,
): string {
  const colours = coloursFor(stdout, env);
  return renderTable(
    rows[0] ?? [],
    rows.map((cells) => cells.map((cell) => paintedText(cell, colours))),
    { width: widthOf(stdout), paintHeader: colours.dim, withoutHeaders: choice?.headers === false },
  );
}

function hiddenIn(rows: readonly (readonly Cell[])[], stdout: Terminal['stdout']): readonly string[] {
  return hiddenColumns(
    rows[0] ?? [],
    rows.map((cells) => cells.map(cellText)),
    { width: widthOf(stdout) },
  );
}

const statusHeaders = new Set(['STATUS', 'HEALTH', 'POWER']);

function paintedText(cell: Cell, colours: Colours): TableText {
  const text = cellText(cell);
  return statusHeaders.has(cell.header) ? { text, paint: (shown) => paintStatus(colours, shown) } : text;
}
