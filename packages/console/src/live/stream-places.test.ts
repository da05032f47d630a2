import { expect, it } from 'vitest';

import { streamPlaces } from './stream-places.ts';

/** Node has the lock manager of browsers. */
const places = (count: number) => streamPlaces(navigator.locks, count);

/** Lets the lock manager work until nothing more happens. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await navigator.locks.request('turn', () => undefined);
}

it('as many streams as there are places run at once, and the next one begins when a place is given back', async () => {
  const take = places(2);
  const { signal } = new AbortController();
  const [first, second] = [await take(signal), await take(signal)];
  let third: (() => void) | undefined;
  void take(signal).then((giveBack) => (third = giveBack));
  await settled();
  expect(third).toBeUndefined();
  first();
  await settled();
  expect(third).toBeDefined();
  third?.();
  second();
});

it('a list that is not shown any more does not take a place', async () => {
  const take = places(1);
  const { signal } = new AbortController();
  const first = await take(signal);
  const leaving = new AbortController();
  let taken = false;
  void take(leaving.signal).then(() => (taken = true));
  leaving.abort();
  first();
  await settled();
  expect(taken).toBe(false);
  (await take(signal))();
});
