import { expect, it } from 'vitest';

import { keepOne, makeOnce } from './names.ts';

/** A list that may hide what is there when it is read. */
function cloudWith(things: string[]) {
  return {
    things,
    make: () =>
      makeOnce({
        make: () => {
          things.push('new');
          return Promise.resolve({ id: 'new' });
        },
        list: () => Promise.resolve(things.map((id) => ({ id }))),
        remove: (id) => {
          things.splice(things.indexOf(id), 1);
          return Promise.resolve();
        },
        doing: 'creating the thing',
        what: 'thing',
      }),
  };
}

it('makes a thing', async () => {
  const { things, make } = cloudWith([]);
  expect(await make()).toEqual({ id: 'new' });
  expect(things).toEqual(['new']);
});

it('removes the new thing and returns the earlier one that a list had not shown', async () => {
  const { things, make } = cloudWith(['earlier']);
  expect(await make()).toEqual({ id: 'earlier' });
  expect(things).toEqual(['earlier']);
});

it('does not guess among several earlier ones', async () => {
  await expect(cloudWith(['one', 'two']).make()).rejects.toMatchObject({ kind: 'inconsistent' });
});

it('keeps the thing in use, or the first, and does not choose among several in use', async () => {
  const keep = async (used: readonly string[]) => {
    const things = ['b', 'a', 'c'];
    const kept = await keepOne(
      things.map((id) => ({ id })),
      {
        isUsed: ({ id }) => Promise.resolve(used.includes(id)),
        remove: (id) => {
          things.splice(things.indexOf(id), 1);
          return Promise.resolve();
        },
        doing: 'looking for the thing',
        what: 'thing',
      },
    );
    return { kept: kept?.id, things };
  };
  expect(await keep([])).toEqual({ kept: 'a', things: ['a'] });
  expect(await keep(['c'])).toEqual({ kept: 'c', things: ['c'] });
  await expect(keep(['b', 'c'])).rejects.toMatchObject({ kind: 'inconsistent' });
});
