import { expect, it } from 'vitest';

import { droppedFrom } from './dropped.ts';

it('names the parameters that a page does not know, and those whose values do not fit', () => {
  const given = { q: 'web', status: 'purple', nonsense: '1' };
  expect(droppedFrom(given, { q: 'web' })).toEqual(['status=purple', 'nonsense=1']);
});

it('says nothing about an address that fits, or about parameters without a value', () => {
  expect(droppedFrom({ q: 'web', sort: '' }, { q: 'web' })).toEqual([]);
});
