import { closest } from '../closest.ts';
import { Failure } from '../failure.ts';
import type { Named, Noun } from '../nouns/noun.ts';
import type { TableOptions } from './table-options.ts';
import { cellsOf, cellText, columnsOf, type ViewOptions } from './view.ts';

/** How the user wants to see a table. */
export interface TableChoice {
  /** Headers. */
  readonly columns?: readonly string[];
  readonly sort?: Order;
  readonly headers: boolean;
}

export interface Order {
  readonly column: string;
  readonly descending: boolean;
}

/** Refuses columns that the noun does not have. */
export function choiceOf(noun: Noun, options: TableOptions): TableChoice {
  return choiceAmong({ plural: noun.plural, known: columnsOf(noun) }, options);
}

/** The things in a table, and the headers of all its columns. */
export interface Offer {
  readonly plural: string;
  readonly known: readonly string[];
}

export function choiceAmong(offer: Offer, { columns, sort, headers = true }: TableOptions): TableChoice {
  return {
    headers,
    ...(columns === undefined ? {} : { columns: columns.map((name) => headerOf(offer, name)) }),
    ...(sort === undefined ? {} : { sort: orderOf(offer, sort) }),
  };
}

function orderOf(offer: Offer, text: string): Order {
  const descending = text.startsWith('-');
  return { column: headerOf(offer, descending ? text.slice(1) : text), descending };
}

function headerOf({ plural, known }: Offer, name: string): string {
  const wanted = name.toUpperCase().replaceAll(/[ _]/g, '-');
  if (known.includes(wanted)) return wanted;
  const close = closest(wanted, known).map((header) => header.toLowerCase());
  throw new Failure(
    'usage',
    `${plural} have no column ${name}`,
    close.length > 0
      ? `did you mean ${close.join(' or ')}?`
      : `there are ${known.map((header) => header.toLowerCase()).join(', ')}`,
  );
}

/** Numbers are compared as numbers, also in texts such as `8 GiB`. Resources with equal values stay in their order. */
export async function sorted(
  noun: Noun,
  objects: readonly Named[],
  { column, descending }: Order,
  view: ViewOptions,
): Promise<readonly Named[]> {
  const keyed = await Promise.all(
    objects.map(async (object) => ({ object, key: await keyOf(noun, object, column, view) })),
  );
  return inOrder(keyed, descending).map(({ object }) => object);
}

export function inOrder<Keyed extends { readonly key: string }>(
  keyed: readonly Keyed[],
  descending: boolean,
): readonly Keyed[] {
  const sign = descending ? -1 : 1;
  // One for all comparisons: `localeCompare` with options would make a new one each time.
  const { compare } = new Intl.Collator('en', { numeric: true });
  return keyed.toSorted((left, right) => sign * compare(left.key, right.key));
}

/** Ages are compared by time: the text `2m` is not shorter than `90s`. */
async function keyOf(noun: Noun, object: Named, column: string, view: ViewOptions): Promise<string> {
  if (column === 'AGE') return String(view.now.getTime() - Date.parse(object.metadata.creationTime ?? ''));
  const [cell] = await cellsOf(noun, object, { ...view, chosen: [column] });
  return cell ? cellText(cell) : '';
}
