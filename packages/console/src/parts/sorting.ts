/** One row with what decides its place. */
interface Entry<Row> {
  row: Row;
  readonly id: string;
  readonly key: string | number;
  /** The last sorting in which the row was there. */
  turn: number;
}

export type SortValue<Row> = (row: Row) => string | number;

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
  /** How often two rows were compared; tests count the work with it. */
  comparisons = 0;

  /** The rows in the order of their values. The name of the order says whether the earlier result can be used. */
  sort(
    rows: readonly Row[],
    {
      name,
      value,
      descending,
      idOf,
    }: {
      readonly name: string;
      readonly value: SortValue<Row>;
      readonly descending: boolean;
      readonly idOf: (row: Row) => string;
    },
  ): readonly Row[] {
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
    for (const { id } of this.#entries) if (this.#byId.get(id)?.turn !== turn) this.#byId.delete(id);
    const compare = (one: Entry<Row>, other: Entry<Row>) => {
      this.comparisons += 1;
      return (descending ? -1 : 1) * compareKeys(one.key, other.key) || compareKeys(one.id, other.id);
    };
    const inPlace = this.#entries.filter((entry) => entry.turn === turn);
    this.#entries = merged(inPlace, moved.sort(compare), compare);
    return this.#entries.map(({ row }) => row);
  }
}

/** Puts a few sorted entries into many, each by halving: that takes the fewest comparisons. */
function merged<Item>(
  many: readonly Item[],
  few: readonly Item[],
  compare: (one: Item, other: Item) => number,
): readonly Item[] {
  if (few.length === 0) return many;
  if (many.length === 0) return few;
  const pieces: (readonly Item[])[] = [];
  let taken = 0;
  for (const item of few) {
    let [low, high] = [taken, many.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = many[middle];
      if (other !== undefined && compare(other, item) <= 0) low = middle + 1;
      else high = middle;
    }
    pieces.push(many.slice(taken, low), [item]);
    taken = low;
  }
  return [...pieces, many.slice(taken)].flat();
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
