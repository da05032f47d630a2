import { expect, it } from 'vitest';

import { changesOf, merged, mergedList, type FieldsOf } from './three-way.ts';

interface Draft {
  readonly name: string;
  readonly note: string;
  readonly groups: readonly string[];
}

const fields: FieldsOf<Draft> = {
  name: { label: 'Name' },
  note: { label: 'Note', text: (note) => `“${note}”` },
  groups: { label: 'Groups', merge: mergedList },
};
const opened: Draft = { name: 'a', note: 'old', groups: ['1', '2'] };
const theirs: Draft = { name: 'a', note: 'theirs', groups: ['1', '2', '3'] };

it('only the fields that the other user changed are shown, with my value where I changed it too', () => {
  const mine = { ...opened, name: 'b', note: 'mine' };
  expect(changesOf(fields, { opened, theirs, mine }, (id) => (id === '3' ? 'readers' : id))).toEqual([
    { label: 'Note', opened: '“old”', theirs: '“theirs”', mine: '“mine”' },
    { label: 'Groups', opened: '1, 2', theirs: '1, 2, readers', mine: undefined },
  ]);
});

it('both changes are kept; where both changed one field, mine replaces theirs, and lists are put together', () => {
  const mine = { name: 'b', note: 'old', groups: ['2', '4'] };
  expect(merged(fields, { opened, theirs, mine })).toEqual({ name: 'b', note: 'theirs', groups: ['2', '3', '4'] });
  expect(merged(fields, { opened, theirs, mine: { ...mine, note: 'mine' } }).note).toBe('mine');
});
