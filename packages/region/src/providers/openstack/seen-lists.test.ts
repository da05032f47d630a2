import { expect, it } from 'vitest';

import type { Found, ObservedServer } from '../../provider/index.ts';
import { SeenLists } from './seen-lists.ts';

const listOf = (count: number) => ({
  servers: 'digest',
  addresses: 'digest',
  found: Array.from({ length: count }, () => ({})) as Found<ObservedServer>[],
});

it('the lists that were not used for the longest time are forgotten when there are too many servers', () => {
  const seen = new SeenLists(10);
  for (const id of ['a', 'b']) seen.keep(id, listOf(4));
  expect(seen.get('a')).toBeDefined();
  seen.keep('c', listOf(4));
  expect(['a', 'b', 'c'].map((id) => seen.get(id) !== undefined)).toEqual([true, false, true]);
  // A list that is larger than all is not kept, and those that are replaced or forgotten leave their place.
  seen.keep('d', listOf(100));
  expect(['a', 'c', 'd'].map((id) => seen.get(id))).toEqual([undefined, undefined, undefined]);
  for (let round = 0; round < 10; round++) seen.keep('e', listOf(5));
  seen.keep('f', listOf(3));
  seen.forget('f');
  seen.keep('g', listOf(3));
  expect(['e', 'f', 'g'].map((id) => seen.get(id) !== undefined)).toEqual([true, false, true]);
});
