import type { Column, Named, Noun } from '../nouns/noun.ts';
import { withNames } from '../known-names.ts';
import { isId, nameOf } from '../resources.ts';
import { withFlagNames } from '../typed.ts';
import { ageText } from './duration.ts';
import type { NameLookup } from './names.ts';
import { defaultRank } from './table.ts';

/** The content of a table cell: usually one text, several for lists. */
export interface Cell {
  readonly header: string;
  readonly texts: readonly string[];
  /** Whether it is a list, also with one element or none. */
  readonly isList?: boolean;
  readonly rank?: number;
  readonly exact?: boolean;
}

/** Columns of `-o wide` are the first that a narrow terminal does without. */
const wideRank = 20;

export interface ViewOptions {
  readonly wide: boolean;
  /** A single object, with the columns that are too long for a table. */
  readonly described?: boolean;
  /** Shows the project of each object, because there may be several. */
  readonly projects: boolean;
  /** The headers of exactly the columns to show. */
  readonly chosen?: readonly string[] | undefined;
  readonly names: NameLookup;
  readonly now: Date;
}

export const projectColumn: Column<Named> = {
  header: 'PROJECT',
  value: ({ metadata }) => metadata.projectId,
  noun: 'project',
  rank: 80,
};
export const idColumn: Column<Named> = {
  header: 'ID',
  value: ({ metadata }) => metadata.id,
  exact: true,
  rank: 25,
};

/** Every column that `--columns` and `--sort` accept for a noun. */
export function columnsOf(noun: Noun): readonly string[] {
  const own = [...(noun.scope.includes('project') ? [projectColumn] : []), ...noun.columns].map(({ header }) => header);
  return [...new Set(['NAME', 'STATUS', 'ID', ...own, 'AGE'])];
}

/** The state of an object in one word. */
export function statusOf(noun: Noun, object: Named): string {
  return noun.status?.(object) ?? object.metadata.provisioningStatus ?? '';
}

/** The reason why it is not ready, if there is one. */
export function reasonOf(noun: Noun, { metadata: { provisioningStatus, provisioningStatusDetail } }: Named): string {
  return provisioningStatus === 'provisioned'
    ? ''
    : withNames(withFlagNames(noun, provisioningStatusDetail?.message ?? ''));
}

/** A row of a table. All objects of a noun have the same columns. */
export async function cellsOf(noun: Noun, object: Named, options: ViewOptions): Promise<readonly Cell[]> {
  const { wide, described = false, projects, chosen, now } = options;
  const isShown = (column: Column<Named>) =>
    chosen?.includes(column.header) ?? ((wide || !column.wide) && (described || !column.described));
  const columns = noun.columns.filter(isShown);
  const hasProject = noun.scope.includes('project') && !columns.some(({ header }) => header === 'PROJECT');
  const own = await Promise.all(
    [
      ...((chosen?.includes('ID') ?? wide) ? [idColumn] : []),
      ...(hasProject && (chosen?.includes('PROJECT') ?? projects) ? [projectColumn] : []),
      ...columns,
    ].map((column) => cellOf(column, object, options.names)),
  );
  const hasStatus = noun.status !== undefined || object.metadata.provisioningStatus !== undefined;
  const all = [
    { header: 'NAME', texts: [nameOf(noun, object)], rank: 100 },
    ...(hasStatus ? [{ header: 'STATUS', texts: [statusOf(noun, object)], rank: 90 }] : []),
    ...own,
    { header: 'AGE', texts: [ageText(object.metadata.creationTime, now)], rank: 45 },
  ];
  // The user named the most important columns first.
  return (
    chosen?.map((header, index) => ({
      ...(all.find((cell) => cell.header === header) ?? { header, texts: [] }),
      rank: -index,
    })) ?? all
  );
}

export async function cellOf(column: Column<Named>, object: Named, names: NameLookup): Promise<Cell> {
  const value = column.value(object);
  const texts = Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
  const { header, noun, wide = false, rank = wide ? wideRank : defaultRank, exact = false } = column;
  return {
    header,
    rank,
    exact,
    texts: noun === undefined ? texts : await Promise.all(texts.map((text) => names(noun, text, object))),
    isList: Array.isArray(value),
  };
}

/** A cell in a table. For a list of ids without names, only the number of elements is shown. */
export function cellText({ texts, isList = false }: Cell): string {
  const shown = texts.filter((text) => text !== '');
  const named = shown.filter((text) => !isList || !isId(text));
  const unnamed = shown.length - named.length;
  return [...named, ...(unnamed === 0 ? [] : [`${named.length === 0 ? '' : '+'}${unnamed}`])].join(',') || '-';
}
