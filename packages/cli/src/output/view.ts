import type { Column, Named, Noun } from '../nouns/noun.ts';
import { nameOf } from '../resources.ts';
import { ageText } from './duration.ts';
import type { NameLookup } from './names.ts';

/** What is shown of an object under one heading: usually one text, several for lists. */
export interface Cell {
  readonly header: string;
  readonly texts: readonly string[];
}

export interface ViewOptions {
  readonly wide: boolean;
  /** Show the project of each: they may be of several. */
  readonly projects: boolean;
  readonly names: NameLookup;
  readonly now: Date;
}

const project: Column<Named> = { header: 'PROJECT', value: ({ metadata }) => metadata.projectId, noun: 'project' };
const id: Column<Named> = { header: 'ID', value: ({ metadata }) => metadata.id };

/** How an object is doing, in a word. */
export function statusOf(noun: Noun, object: Named): string {
  return noun.status?.(object) ?? object.metadata.provisioningStatus ?? '';
}

/** What stands in the way of it, where something does. */
export function reasonOf({ metadata: { provisioningStatus, provisioningStatusDetail } }: Named): string {
  return provisioningStatus === 'provisioned' ? '' : (provisioningStatusDetail?.message ?? '');
}

/** A row of a table. All objects of a noun have the same columns. */
export async function cellsOf(noun: Noun, object: Named, options: ViewOptions): Promise<readonly Cell[]> {
  const { wide, projects, now } = options;
  const columns = noun.columns.filter((column) => wide || !column.wide);
  const own = await Promise.all([...(wide ? [id] : []), ...(projects && noun.scope.includes('project') && !columns.some(({ header }) => header === 'PROJECT') ? [project] : []), ...columns].map((column) => cellOf(column, object, options.names)));
  const status = noun.status || object.metadata.provisioningStatus !== undefined ? [{ header: 'STATUS', texts: [statusOf(noun, object)] }] : [];
  return [{ header: 'NAME', texts: [nameOf(noun, object)] }, ...status, ...own, { header: 'AGE', texts: [ageText(object.metadata.creationTime, now)] }];
}

async function cellOf(column: Column<Named>, object: Named, names: NameLookup): Promise<Cell> {
  const value = column.value(object);
  const texts = Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)];
  const { header, noun } = column;
  return { header, texts: noun === undefined ? texts : await Promise.all(texts.map((text) => names(noun, text, object))) };
}
