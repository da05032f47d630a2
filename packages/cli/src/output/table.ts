import type { Output } from '../terminal.ts';
import { displayWidth } from './width.ts';

/** A text of a table. Colours are separate, because a text may be shortened before it is painted. */
export interface Painted {
  readonly text: string;
  readonly paint: (text: string) => string;
}
export type TableText = string | Painted;

export interface TableColumn {
  readonly header: string;
  /** If the table is too wide, columns with the lowest rank are left out first; of equal ones, the rightmost. */
  readonly rank?: number;
  /** Half of it would be useless, such as an id. It is left out instead of shortened. */
  readonly exact?: boolean;
  /** A sentence. It continues on the next line instead of being shortened. */
  readonly flows?: boolean;
}

export interface TableOptions {
  /** The width of the terminal. A table without one is as wide as its content. */
  readonly width?: number | undefined;
  readonly paintHeader?: (text: string) => string;
  readonly withoutHeaders?: boolean;
}

export const defaultRank = 50;
/** No column is shortened to less. Addresses and states are never longer. */
const shortest = 16;
/** A sentence in a narrower column is hard to read. */
const narrowest = 16;
const gaps = [3, 2] as const;

/** The width that a table may have. Output that is not a terminal has no limit: programs read it. */
export function widthOf({ isTTY, columns }: Output): number | undefined {
  return isTTY && columns ? columns : undefined;
}

/** Aligned columns without borders. The last column is not padded, so that lines have no trailing spaces. */
export function renderTable(
  columns: readonly (string | TableColumn)[],
  rows: readonly (readonly TableText[])[],
  { width, paintHeader = unpainted, withoutHeaders = false }: TableOptions = {},
): string {
  const declared = columns.map((column) => (typeof column === 'string' ? { header: column } : column));
  const { shown, gap } = layoutOf(declared, rows, { width, withoutHeaders });
  const header = declared.map((column) => ({ text: column.header, paint: paintHeader }));
  return [...(withoutHeaders ? [] : [header]), ...rows].flatMap((texts) => linesOf(texts, shown, gap)).join('');
}

/** A column that is shown, and its width. */
interface Shown {
  readonly index: number;
  readonly column: TableColumn;
  readonly width: number;
}

interface Layout {
  readonly shown: readonly Shown[];
  readonly gap: number;
}

/** The columns that do not fit into the terminal, by their headers. */
export function hiddenColumns(
  columns: readonly TableColumn[],
  rows: readonly (readonly TableText[])[],
  options: Pick<TableOptions, 'width' | 'withoutHeaders'>,
): readonly string[] {
  const { shown } = layoutOf(columns, rows, options);
  return columns.filter((column) => !shown.some((each) => each.column === column)).map(({ header }) => header);
}

/** Who asked for columns should know that some are missing. */
export function tooNarrowFor(hidden: readonly string[]): string {
  return `the terminal is too narrow for ${hidden.join(', ')}; choose with --columns, or use | less -S\n`;
}

function layoutOf(
  columns: readonly TableColumn[],
  rows: readonly (readonly TableText[])[],
  { width, withoutHeaders = false }: Pick<TableOptions, 'width' | 'withoutHeaders'>,
): Layout {
  const all = columns.map((column, index) => ({
    index,
    column,
    width: Math.max(
      withoutHeaders ? 0 : displayWidth(column.header),
      ...rows.map((texts) => displayWidth(plain(texts[index] ?? ''))),
    ),
  }));
  if (width === undefined) return { shown: all, gap: gaps[0] };
  const gap = gaps.find((each) => totalOf(all, each) <= width) ?? gaps[1];
  return { shown: narrowed(kept(all, gap, width), gap, width), gap };
}

/** Leaves out columns until the others fit, each as short as it may be. The first column always stays. */
function kept(all: readonly Shown[], gap: number, width: number): readonly Shown[] {
  const least = all.map((each) => ({ ...each, width: leastWidth(each) }));
  if (all.length <= 1 || totalOf(least, gap) <= width) return all;
  const ranks = all.slice(1).map(({ column }) => column.rank ?? defaultRank);
  const dropped = ranks.lastIndexOf(Math.min(...ranks)) + 1;
  return kept(
    all.filter((_, position) => position !== dropped),
    gap,
    width,
  );
}

function leastWidth({ column: { exact = false, flows = false }, width }: Shown): number {
  return exact ? width : Math.min(width, flows ? narrowest : shortest);
}

/** Shortens the widest column again and again, until the line fits. A sentence goes first: nothing of it is lost. */
function narrowed(shown: readonly Shown[], gap: number, width: number): readonly Shown[] {
  const widths = shown.map((each) => each.width);
  for (let excess = totalOf(shown, gap) - width; excess > 0; excess -= 1) {
    const flexible = shown.flatMap((each, at) => ((widths[at] ?? 0) > leastWidth(each) ? [{ at, each }] : []));
    const flowing = flexible.filter(({ each }) => each.column.flows);
    const [first] = shown;
    const candidates =
      flowing.length > 0 ? flowing : flexible.length > 0 ? flexible : first ? [{ at: 0, each: first }] : [];
    const at = candidates.toSorted((left, right) => (widths[right.at] ?? 0) - (widths[left.at] ?? 0))[0]?.at ?? 0;
    widths[at] = Math.max(1, (widths[at] ?? 0) - 1);
  }
  return shown.map((each, at) => ({ ...each, width: widths[at] ?? 0 }));
}

function totalOf(shown: readonly Shown[], gap: number): number {
  return shown.reduce((sum, { width }) => sum + width, 0) + gap * Math.max(0, shown.length - 1);
}

function linesOf(texts: readonly TableText[], shown: readonly Shown[], gap: number): readonly string[] {
  const cells = shown.map(({ index, column, width }) => {
    const cell = texts[index] ?? '';
    const text = plain(cell);
    const parts = displayWidth(text) <= width ? [text] : column.flows ? wrapped(text, width) : [shortened(text, width)];
    return { width, parts, paint: typeof cell === 'string' ? unpainted : cell.paint };
  });
  const height = Math.max(...cells.map(({ parts }) => parts.length));
  return Array.from({ length: height }, (_, line) => {
    const written = cells.map(({ width, parts, paint }, column) => {
      const part = parts[line] ?? '';
      const isLast = cells.slice(column + 1).every((later) => (later.parts[line] ?? '') === '');
      return `${part === '' ? '' : paint(part)}${isLast ? '' : ' '.repeat(width - displayWidth(part) + gap)}`;
    });
    return `${written.join('')}\n`;
  });
}

/** The beginning of a text, with an ellipsis for the rest. */
export function shortened(text: string, width: number): string {
  let short = '';
  for (const character of text) {
    if (displayWidth(`${short}${character}…`) > width) break;
    short += character;
  }
  return `${short}…`;
}

/** The lines of a text that are not longer than the width, unless a word is. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && displayWidth(`${line} ${word}`) <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(...piecesOf(word, width));
  }
  return lines;
}

function piecesOf(word: string, width: number): readonly string[] {
  if (displayWidth(word) <= width) return [word];
  const first = shortened(word, width + 1).slice(0, -1);
  return first === '' ? [word] : [first, ...piecesOf(word.slice(first.length), width)];
}

function plain(text: TableText): string {
  return typeof text === 'string' ? text : text.text;
}

/** A text with its colours, for a line outside a table. */
export function paintedText(cell: TableText): string {
  return typeof cell === 'string' ? cell : cell.paint(cell.text);
}

function unpainted(text: string): string {
  return text;
}

export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}
