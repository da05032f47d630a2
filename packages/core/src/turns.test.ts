import { describe, expect, it } from 'vitest';

import { limits } from './limits.ts';
import { virtualWorld } from './testing/index.ts';
import { Turns } from './turns.ts';

function stage(places: number) {
  const world = virtualWorld();
  const turns = new Turns(world, places, limits.atWork_ms);
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (caller: string, name = caller) =>
    void turns.take(caller).then((end) => {
      order.push(name);
      ends.push(end);
    });
  return { world, order, ends, ask };
}

describe('turns of requests', () => {
  it('are taken at once while there is room, all by one caller if there is no other', async () => {
    const { world, order, ask } = stage(3);
    for (const name of ['a1', 'a2', 'a3', 'a4']) ask('a', name);
    await world.settle();
    expect(order).toEqual(['a1', 'a2', 'a3']);
  });

  it('go to the caller who has the fewest, however many another one has waiting', async () => {
    const { world, order, ends, ask } = stage(2);
    for (let request = 0; request < 50; request++) ask('greedy');
    ask('modest');
    await world.settle();
    ends[0]?.();
    await world.settle();
    expect(order).toEqual(['greedy', 'greedy', 'modest']);
  });

  it('alternate among callers with the same number', async () => {
    const { world, order, ends, ask } = stage(1);
    ask('first');
    for (let request = 0; request < 2; request++) for (const caller of ['a', 'b', 'c']) ask(caller);
    for (let served = 0; served < 7; served++) {
      await world.settle();
      ends[served]?.();
    }
    expect(order).toEqual(['first', 'a', 'b', 'c', 'a', 'b', 'c']);
  });

  it('end by themselves after a moment, so that a request that waits for a cloud blocks no other; ending one twice frees one place', async () => {
    const { world, order, ends, ask } = stage(1);
    for (const name of ['slow', 'next', 'last']) ask(name);
    await world.settle();
    expect(order).toEqual(['slow']);
    await world.advance(limits.atWork_ms);
    expect(order).toEqual(['slow', 'next']);
    ends[0]?.();
    await world.settle();
    expect(order).toEqual(['slow', 'next']);
  });
});
