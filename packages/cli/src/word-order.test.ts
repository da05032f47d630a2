import { expect, it } from 'vitest';

import { programOf, run } from './index.ts';
import { fakeTerminal } from './testing/product.ts';
import { inOurOrder } from './word-order.ts';

it.each([
  [['delete', 'instance', 'web'], 'unikorn instance delete web'],
  [['get', 'instances'], 'unikorn instance get'],
  [['rm', 'net', 'a', 'b'], 'unikorn network delete a b'],
  [['delete', 'everything'], undefined],
  [['instance', 'delete', 'web'], undefined],
  [[], undefined],
])('%j is meant as %s', async (words, meant) => {
  expect(inOurOrder(await programOf(fakeTerminal()), words)).toBe(meant);
});

it.each([
  ['delete instance web', 'unikorn instance delete web'],
  ['get instance web', 'unikorn instance get web'],
])('%s suggests the right order', async (words, meant) => {
  const terminal = fakeTerminal();
  expect(await run(words.split(' '), terminal)).toBe(2);
  await expect.poll(() => terminal.written().stderr).toContain(`the noun comes first: ${meant}\n`);
});
