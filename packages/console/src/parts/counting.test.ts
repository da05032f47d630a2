import { expect, it } from 'vitest';

import { changedPlaces, counted } from './counting.ts';

const item = (group: string) => ({ group });
const groupOf = ({ group }: { readonly group: string }) => group;

it('finds the places at which objects were replaced', () => {
  const [one, two, three] = [item('a'), item('b'), item('c')];
  expect(changedPlaces([one, two], [one, two])).toEqual([]);
  expect(changedPlaces([one, two], [one, three])).toEqual([1]);
  expect(changedPlaces([one], [one, two])).toBeUndefined();
});

it('counts only what has changed, with the same result as if everything had been counted', () => {
  const many = Array.from({ length: 1_000 }, (_unused, index) => item(index % 2 === 0 ? 'even' : 'odd'));
  const first = counted(many, groupOf);
  expect(Object.fromEntries(first.counts)).toEqual({ even: 500, odd: 500 });
  let looked = 0;
  const changed = many.with(4, item('odd')).with(6, item('new'));
  const second = counted(changed, (each) => ((looked += 1), groupOf(each)), first);
  expect(Object.fromEntries(second.counts)).toEqual({ even: 498, odd: 501, new: 1 });
  expect(looked).toBe(4);
  expect(Object.fromEntries(counted(changed.with(6, item('odd')), groupOf, second).counts)).toEqual({
    even: 498,
    odd: 502,
  });
  expect(Object.fromEntries(counted(changed.slice(0, 2), groupOf, second).counts)).toEqual({ even: 1, odd: 1 });
});
