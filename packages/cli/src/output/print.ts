import type { Named, Noun } from '../nouns/noun.ts';
import { handleOf } from '../resources.ts';
import type { Terminal } from '../terminal.ts';
import { coloursFor, paintStatus, type Colours } from './colours.ts';
import { renderDescription } from './describe.ts';
import type { OutputFormat } from './format.ts';
import type { NameLookup } from './names.ts';
import { renderTable } from './table.ts';
import { cellsOf, cellText, type Cell, type ViewOptions } from './view.ts';

export interface Printing {
  readonly terminal: Terminal;
  readonly names: NameLookup;
  readonly format: OutputFormat | undefined;
  /** Whether the output may contain several projects. */
  readonly projects?: boolean;
}

/** Prints a list: as a table by default. */
export async function printList(noun: Noun, objects: readonly Named[], printing: Printing): Promise<void> {
  const { terminal, format = 'table' } = printing;
  switch (format) {
    case 'json':
    case 'yaml':
      terminal.stdout.write(await documentText(format, objects));
      return;
    case 'name':
      terminal.stdout.write(objects.map((object) => `${handleOf(noun, object, objects)}\n`).join(''));
      return;
    case 'table':
    case 'wide':
      if (objects.length === 0) terminal.stderr.write(`there are no ${noun.plural} here\n`);
      else
        terminal.stdout.write(
          tableOf(await rowsOf(noun, objects, viewOf(printing, format)), coloursFor(terminal.stdout, terminal.env)),
        );
  }
}

/** Prints one object: as a description by default. */
export async function printOne(noun: Noun, object: Named, printing: Printing): Promise<void> {
  const { terminal, format } = printing;
  if (format === 'json' || format === 'yaml') terminal.stdout.write(await documentText(format, object));
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

export function viewOf({ terminal, names, projects = false }: Printing, format: OutputFormat): ViewOptions {
  return { wide: format === 'wide', projects, names, now: terminal.now() };
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

export function tableOf(rows: readonly (readonly Cell[])[], colours: Colours): string {
  const headers = (rows[0] ?? []).map(({ header }) => header);
  return renderTable(
    headers.map((header) => colours.dim(header)),
    rows.map((cells) => cells.map((cell) => paintedText(cell, colours))),
  );
}

const statusHeaders = new Set(['STATUS', 'HEALTH', 'POWER']);

function paintedText(cell: Cell, colours: Colours): string {
  const text = cellText(cell);
  return statusHeaders.has(cell.header) ? paintStatus(colours, text) : text;
}
