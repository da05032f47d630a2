import { expect, it } from 'vitest';

import { keysOf, search } from './palette-search.ts';

const entries = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `Web-${index}`, keys: keysOf(`Web-${index}`, '10.0.0.1') }));

it('finds what contains every word, in any order and case', () => {
  const names = (text: string) => search(entries(30), text, 5).map(({ name }) => name);
  expect(names('10.0 WEB-2')).toEqual(['Web-2', 'Web-20', 'Web-21', 'Web-22', 'Web-23']);
  expect(names('web-7 nothing')).toEqual([]);
  expect(names(' ')).toHaveLength(5);
});

it('reads each entry at most once for a key, and none after it has found enough', () => {
  let reads = 0;
  const counted = entries(28_000).map(({ name, keys }) => ({
    name,
    get keys() {
      reads += 1;
      return keys;
    },
  }));
  expect(search(counted, 'web 10.0 absent', 30)).toEqual([]);
  expect(reads).toBe(28_000);
  reads = 0;
  expect(search(counted, 'web 10.0', 30)).toHaveLength(30);
  expect(reads).toBe(30);
});
