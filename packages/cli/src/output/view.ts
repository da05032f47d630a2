import type { Column, Named, Noun } from '../nouns/noun.ts';
import { isId, nameOf } from '../resources.ts';
import { withFlagNames } from '../typed.ts';
import { ageText } from './duration.ts';
import type { NameLookup } from './names.ts';

/** The content of a table cell: usually one text, several for lists. */
export interface Cell {
  readonly header: string;
  readonly texts: readonly string[];
  /** Whether it is a list, also with one element or none. */
  readonly isList?: boolean;
}

export interface ViewOptions {
  readonly wide: boolean;
  /** A single object, with the columns that are too long for a table. */
  readonly described?: boolean;
  /** Shows the project of each object, because there may be several. */
  readonly projects: boolean;
  readonly names: NameLookup;
  readonly now: Date;
}

export const projectColumn: Column<Named> = {
  header: 'PROJECT',
  value: ({ metadata }) => metadata.projectId,
  noun: 'project',
};
export const idColumn: Column<Named> = { header: 'ID', value: ({ metadata }) => metadata.id };

/** The state of an object in one word. */
export function statusOf(noun: Noun, object: Named): string {
  return noun.status?.(object) ?? object.metadata.provisioningStatus ?? '';
}

/** The reason why it is not ready, if there is one. */
export function reasonOf(noun: Noun, { metadata: { provisioningStatus, provisioningStatusDetail } }: Named): string {
  return provisioningStatus === 'provisioned' ? '' : withFlagNames(noun, provisioningStatusDetail?.message ?? '');
}

/** A row of a table. All objects of a noun have the same columns. */
export async function cellsOf(noun: Noun, object: Named, options: ViewOptions): Promise<readonly Cell[]> {
  const { wide, described = false, projects, now } = options;
  const columns = noun.columns.filter((column) => (wide || !column.wide) && (described || !column.described));
  const own = await Promise.all(
    [
      ...(wide ? [idColumn] : []),
      ...(projects && noun.scope.includes('project') && !columns.some(({ header }) => header === 'PROJECT')
        ? [projectColumn]
        : []),
      ...columns,
    ].map((column) => cellOf(column, object, options.names)),
  );
  const status =
    noun.status || object.metadata.provisioningStatus !== undefined
      ? [{ header: 'STATUS', texts: [statusOf(noun, object)] }]
      : [];
  return [
    { header: 'NAME', texts: [nameOf(noun, object)] },
    ...status,
    ...own,
    { header: 'AGE', texts: [ageText(object.metadata.creationTime, now)] },
  ];
}

export async function cellOf(column: Column<Named>, object: Named, names: NameLookup): Promise<Cell> {
  const value = column.value(object);
  const texts = Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
  const { header, noun } = column;
  return {
    header,
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
