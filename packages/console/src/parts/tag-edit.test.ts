import { expect, it } from 'vitest';

import { editedTags, isSameTags, repeatedName, tagEditOf } from './tag-edit.ts';

const team = { name: 'team', value: 'web' };
const tier = { name: 'tier', value: 'front' };

it('a tag that is set replaces the one of the same name; others stay, and removed ones go', () => {
  const edit = {
    set: [
      { name: 'team', value: 'shop' },
      { name: 'cost', value: '7' },
    ],
    remove: ['tier'],
  };
  expect(editedTags([team, tier], edit)).toEqual([
    { name: 'team', value: 'shop' },
    { name: 'cost', value: '7' },
  ]);
});

it('two edits of different tags are put together', () => {
  const theirs = [team, { name: 'tier', value: 'back' }];
  const mine = [{ name: 'team', value: 'shop' }, tier];
  expect(editedTags(theirs, tagEditOf([team, tier], mine))).toEqual([
    { name: 'team', value: 'shop' },
    { name: 'tier', value: 'back' },
  ]);
});

it('tags in another order are the same; another value, and a missing tag, are not', () => {
  expect(isSameTags([team, tier], [tier, team])).toBe(true);
  expect(isSameTags([team], [{ ...team, value: 'shop' }])).toBe(false);
  expect(isSameTags([team, tier], [team])).toBe(false);
  expect(isSameTags([team], [team, tier])).toBe(false);
});

it('a name that is used twice is found', () => {
  expect(repeatedName([team, tier])).toBeUndefined();
  expect(repeatedName([team, tier, { name: 'tier', value: 'x' }])).toBe('tier');
});
