import { virtualWorld } from '@unikorn/core/testing';
import { expect, it } from 'vitest';

import { ProviderFailure } from '../provider/index.ts';
import { Silence } from './silence.ts';

/** Calls of a cloud that may be silent, and how they ended. */
function stage() {
  const world = virtualWorld();
  const silence = new Silence(world);
  const ended: string[] = [];
  const ask = (name: string, duration_ms: number, failure?: 'unavailable' | 'invalid') => {
    void silence
      .through(async () => {
        await world.sleep(duration_ms);
        if (failure) throw new ProviderFailure(failure, 'it failed');
      })
      .then(
        () => ended.push(`${name}: answered`),
        (error: unknown) => ended.push(`${name}: ${error instanceof Error ? error.message : ''}`),
      );
  };
  /** The ends since the last time. */
  const news = async (ms: number) => {
    await world.advance(ms);
    return ended.splice(0);
  };
  return { ask, news };
}

const atOnce = 'the cloud of this region does not answer at the moment';

/** After a call that got no answer until its deadline. */
async function silent() {
  const { ask, news } = stage();
  ask('first', 60_000, 'unavailable');
  expect(await news(60_000)).toEqual(['first: it failed']);
  return { ask, news };
}

it('while a cloud is silent, one call tries it, and the others fail at once', async () => {
  const { ask, news } = await silent();
  for (const name of ['second', 'third', 'fourth']) ask(name, 60_000, 'unavailable');
  expect(await news(0)).toEqual([`third: ${atOnce}`, `fourth: ${atOnce}`]);
  expect(await news(60_000)).toEqual(['second: it failed']);
  ask('fifth', 1_000, 'unavailable');
  ask('sixth', 0);
  expect(await news(1_000)).toEqual([`sixth: ${atOnce}`, 'fifth: it failed']);
});

it.each([
  ['an answer', undefined],
  ['a refusal', 'invalid'],
] as const)('%s ends the silence', async (_, failure) => {
  const { ask, news } = await silent();
  ask('second', 100, failure);
  expect(await news(100)).toHaveLength(1);
  ask('third', 100);
  ask('fourth', 100);
  expect(await news(100)).toEqual(['third: answered', 'fourth: answered']);
});

it('a cloud that fails quickly is not silent', async () => {
  const { ask, news } = stage();
  ask('first', 5_000, 'unavailable');
  await news(5_000);
  ask('second', 100);
  ask('third', 100);
  expect(await news(100)).toEqual(['second: answered', 'third: answered']);
});

it('a cloud of which one service is silent and another one answers is not silent', async () => {
  const { ask, news } = stage();
  ask('first', 60_000, 'unavailable');
  await news(30_000);
  ask('second', 100);
  await news(30_000);
  ask('third', 100);
  ask('fourth', 100);
  expect(await news(100)).toEqual(['third: answered', 'fourth: answered']);
});

it('of several calls without an answer, only the last try counts', async () => {
  const { ask, news } = stage();
  ask('first', 60_000, 'unavailable');
  ask('second', 70_000, 'unavailable');
  await news(60_000);
  ask('third', 60_000, 'unavailable');
  expect(await news(10_000)).toEqual(['second: it failed']);
  ask('fourth', 0);
  expect(await news(0)).toEqual([`fourth: ${atOnce}`]);
});
