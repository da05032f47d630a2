import { expect, it } from 'vitest';

import { remaining } from './remaining.ts';
import type { ReadOptions } from './store.ts';

/** A copy that is behind the store. */
const reader = (copied: readonly string[], stored: readonly string[]) => {
  const reads: ReadOptions[] = [];
  const read = (options: ReadOptions) => {
    reads.push(options);
    return Promise.resolve(options.cached ? copied : stored);
  };
  return { read, reads };
};

it('does not ask the store while the copy has objects', async () => {
  const { read, reads } = reader(['a'], []);
  expect(await remaining({ sole: false }, read)).toEqual(['a']);
  expect(reads).toEqual([{ cached: true }]);
});

it('asks the store before it says that nothing remains', async () => {
  expect(await remaining({ sole: false }, reader([], ['new']).read)).toEqual(['new']);
  expect(await remaining({ sole: false }, reader([], []).read)).toEqual([]);
});

it('reads once if no other process can use the store', async () => {
  const { read, reads } = reader(['a'], ['a']);
  expect(await remaining({ sole: true }, read)).toEqual(['a']);
  expect(reads).toEqual([{}]);
});
