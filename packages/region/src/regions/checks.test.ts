import { virtualWorld } from '@unikorn/core/testing';
import { expect, it } from 'vitest';

import type { Check } from '../provider/index.ts';
import { Checks } from './checks.ts';

function open() {
  const world = virtualWorld();
  const checks = new Checks(world);
  let begun = 0;
  /** A check of a cloud that takes a while. */
  const ask = (duration_ms: number, regionId = 'west') =>
    checks.of(regionId, async (): Promise<readonly Check[]> => {
      begun += 1;
      await world.sleep(duration_ms);
      return [{ name: `check ${begun}`, state: 'ok' }];
    });
  return { world, checks, ask, begun: () => begun };
}

it('each request makes a check of its own', async () => {
  const { world, ask } = open();
  for (const name of ['check 1', 'check 2']) {
    const asked = ask(1_000);
    await world.advance(1_000);
    expect(await asked).toMatchObject([{ name }]);
  }
});

it('a request that cannot wait for a slow cloud is refused, and the next one gets the result', async () => {
  const { world, ask, begun } = open();
  const first = expect(ask(50_000)).rejects.toMatchObject({ code: 'too_many_requests', retryAfter_s: 1 });
  await world.advance(30_000);
  await first;
  const second = ask(50_000);
  await world.advance(30_000);
  expect(await second).toMatchObject([{ name: 'check 1' }]);
  expect(begun()).toBe(1);
});

it('a result that comes between two requests is kept for a minute, and is given out once', async () => {
  const { world, ask, begun } = open();
  const refused = expect(ask(30_000)).rejects.toThrow('send the request again');
  await world.advance(31_000);
  await refused;
  expect(await ask(0)).toMatchObject([{ name: 'check 1' }]);
  void ask(30_000).catch(() => undefined);
  expect(begun()).toBe(2);
  await world.advance(30_000 + 61_000);
  void ask(0);
  expect(begun()).toBe(3);
});

it('regions have checks of their own, and a check that fails is not kept', async () => {
  const { world, checks, ask, begun } = open();
  void ask(1_000);
  void ask(1_000, 'east');
  expect(begun()).toBe(2);
  await world.advance(1_000);
  await expect(checks.of('north', () => Promise.reject(new Error('no secret')))).rejects.toThrow('no secret');
  await world.settle();
  expect(await checks.of('north', () => Promise.resolve([]))).toEqual([]);
});
