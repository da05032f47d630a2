import { expect, it } from 'vitest';

import { SortedRows, sortKey } from './sorting.ts';

interface Row {
  readonly id: string;
  readonly name: string;
}

const row = (name: string, id = name): Row => ({ id, name });
const byName = { name: 'name', value: ({ name }: Row) => name, descending: false, idOf: ({ id }: Row) => id };
const names = (rows: readonly Row[]) => rows.map(({ name }) => name);

it.each([
  [
    ['web-10', 'web-2', 'Web-1'],
    ['Web-1', 'web-2', 'web-10'],
  ],
  [
    ['zoo', 'état', 'east'],
    ['east', 'état', 'zoo'],
  ],
])('%j is sorted as people expect it', (given, wanted) => {
  expect(
    names(
      new SortedRows<Row>().sort(
        given.map((name) => row(name)),
        byName,
      ),
    ),
  ).toEqual(wanted);
});

it('the reverse order keeps rows with the same value in the order of their ids', () => {
  const rows = [row('a', '2'), row('b', '3'), row('a', '1')];
  const sorted = new SortedRows<Row>().sort(rows, { ...byName, name: '-name', descending: true });
  expect(sorted.map(({ id }) => id)).toEqual(['3', '1', '2']);
});

it('after every change, the order is the same as if everything had been sorted', () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const rows = new SortedRows<Row>();
  let current = Array.from({ length: 300 }, (_unused, index) => row(`web-${random(100)}`, String(index)));
  for (let turn = 0; turn < 50; turn += 1) {
    current = current
      .filter(() => turn % 2 === 0 || random(40) > 0)
      .map((each) => (random(30) === 0 ? row(`web-${random(100)}`, each.id) : random(2) === 0 ? each : { ...each }));
    if (turn % 3 === 0) current.push(row(`web-${random(100)}`, `new ${turn}`));
    const wanted = current.toSorted((one, other) => {
      const [a, b] = [sortKey(one.name), sortKey(other.name)];
      return a === b ? (one.id < other.id ? -1 : 1) : a < b ? -1 : 1;
    });
    expect(rows.sort(current, byName)).toEqual(wanted);
  }
});

it('a change of few among many rows compares few', () => {
  const rows = new SortedRows<Row>();
  const many = Array.from({ length: 10_000 }, (_unused, index) => row(`web-${index}`, String(index)));
  rows.sort(many, byName);
  rows.comparisons = 0;
  rows.sort(many.with(17, row('web-9000', '17')), byName);
  expect(rows.comparisons).toBeLessThan(20);
  rows.comparisons = 0;
  rows.sort(many.with(17, row('web-9000', '17')), byName);
  expect(rows.comparisons).toBeLessThan(20);
});

it('a row that is replaced at its place is the only one that is looked at', () => {
  let looked = 0;
  const counting = { ...byName, idOf: ({ id }: Row) => ((looked += 1), id) };
  const rows = new SortedRows<Row>();
  const many = Array.from({ length: 1_000 }, (_unused, index) => row(`web-${index}`, String(index)));
  const before = rows.sort(many.toReversed(), counting);
  looked = 0;
  const fresh = row('web-17', '17');
  const after = rows.sort(many.with(17, fresh).toReversed(), counting);
  expect(after).toEqual(before);
  expect(after[17]).toBe(fresh);
  expect(looked).toBe(1);
});
