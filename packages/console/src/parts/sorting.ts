import { changedPlaces } from './counting.ts';

/** One row with what decides its place. */
interface Entry<Row> {
  row: Row;
  readonly id: string;
  readonly key: string | number;
  /** The last sorting in which the row was there. */
  turn: number;
}

export type SortValue<Row> = (row: Row) => string | number;

export interface SortOrder<Row> {
  /** Says whether an earlier result can be used. */
  readonly name: string;
  readonly value: SortValue<Row>;
  readonly descending: boolean;
  readonly idOf: (row: Row) => string;
}

/**
 * Keeps rows in order while a few of them change: only those are compared with others, and get a new key. Sorting ten
 * thousand rows anew for each change of a stream would take longer than a frame.
 */
export class SortedRows<Row> {
  #order = '';
  #value: SortValue<Row> | undefined;
  #entries: readonly Entry<Row>[] = [];
  #byId = new Map<string, Entry<Row>>();
  #turn = 0;
  /** The rows as they were given, and in order. */
  #given: readonly Row[] = [];
  #sorted: readonly Row[] = [];
  /** How often two rows were compared; tests count the work with it. */
  comparisons = 0;

  /** The rows in the order of their values. */
  sort(rows: readonly Row[], order: SortOrder<Row>): readonly Row[] {
    const isSame = this.#order === order.name && this.#value === order.value;
    this.#sorted = (isSame ? this.#replaced(rows, order) : undefined) ?? this.#merged(rows, order);
    this.#given = rows;
    return this.#sorted;
  }

  /** The new rows at the places of the old ones, if nothing else has changed. The other rows are not looked at. */
  #replaced(rows: readonly Row[], order: SortOrder<Row>): readonly Row[] | undefined {
    const places = changedPlaces(this.#given, rows);
    if (!places) return undefined;
    const sorted = [...this.#sorted];
    const compare = this.#comparison(order);
    for (const place of places) {
      const row = rows[place];
      const entry = row === undefined ? undefined : this.#byId.get(order.idOf(row));
      if (row === undefined || entry?.key !== sortKey(order.value(row))) return undefined;
      entry.row = row;
      sorted[placeAfter(this.#entries, entry, 0, compare) - 1] = row;
    }
    return sorted;
  }

  /** Puts the rows that are new, or have another value, between the others. */
  #merged(rows: readonly Row[], order: SortOrder<Row>): readonly Row[] {
    const { name, value, idOf } = order;
    if (this.#order !== name) {
      this.#entries = [];
      this.#byId = new Map();
    }
    const turn = (this.#turn += 1);
    const sameValues = this.#value === value;
    this.#order = name;
    this.#value = value;
    const moved: Entry<Row>[] = [];
    for (const row of rows) {
      const id = idOf(row);
      const before = this.#byId.get(id);
      const key = before && sameValues && before.row === row ? before.key : sortKey(value(row));
      if (before?.key === key) {
        before.row = row;
        before.turn = turn;
      } else {
        const entry = { row, id, key, turn };
        this.#byId.set(id, entry);
        moved.push(entry);
      }
    }
    const inPlace = this.#entries.filter((entry) => {
      if (entry.turn !== turn && this.#byId.get(entry.id) === entry) this.#byId.delete(entry.id);
      return entry.turn === turn;
    });
    const compare = this.#comparison(order);
    this.#entries = merged(inPlace, moved.sort(compare), compare);
    return this.#entries.map(({ row }) => row);
  }

  #comparison({ descending }: SortOrder<Row>): Comparison<Entry<Row>> {
    const direction = descending ? -1 : 1;
    return (one, other) => {
      this.comparisons += 1;
      return direction * compareKeys(one.key, other.key) || compareKeys(one.id, other.id);
    };
  }
}

type Comparison<Item> = (one: Item, other: Item) => number;

/** Puts a few sorted entries into many. */
function merged<Item>(many: readonly Item[], few: readonly Item[], compare: Comparison<Item>): readonly Item[] {
  if (few.length === 0) return many;
  if (many.length === 0) return few;
  const pieces: (readonly Item[])[] = [];
  let taken = 0;
  for (const item of few) {
    const place = placeAfter(many, item, taken, compare);
    pieces.push(many.slice(taken, place), [item]);
    taken = place;
  }
  return [...pieces, many.slice(taken)].flat();
}

/** The place behind everything that is not after the item, by halving: that takes the fewest comparisons. */
function placeAfter<Item>(many: readonly Item[], item: Item, from: number, compare: Comparison<Item>): number {
  let [low, high] = [from, many.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = many[middle];
    if (other !== undefined && compare(other, item) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

const digits = /\d+/g;
const marks = /\p{M}/gu;
const isPlain = /^[\u0020-\u007e]*$/;

/**
 * A text that is compared as it is, which is much faster than by the rules of a language. Numbers inside of it count as
 * numbers; capitals and accents do not count.
 */
export function sortKey(value: string | number): string | number {
  if (typeof value === 'number') return value;
  const plain = isPlain.test(value) ? value : value.normalize('NFKD').replace(marks, '');
  return plain.toLowerCase().replace(digits, (number) => number.padStart(12, '0'));
}

function compareKeys(one: string | number, other: string | number): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
