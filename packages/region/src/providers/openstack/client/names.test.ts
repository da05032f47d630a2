import { expect, it } from 'vitest';

import { makeOnce } from './names.ts';

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
