import { expect, it } from 'vitest';

import { Pace } from './pace.ts';
import { virtualWorld } from './testing/index.ts';

/** A world that says how often its loop has turned. */
function turning() {
  const world = virtualWorld();
  const counted = { turns: 0 };
  return { counted, world: Object.assign(Object.create(world) as typeof world, { turn: () => { counted.turns++; return Promise.resolve(); } }) };
}

it('runs one piece at a time, in the order in which they asked', async () => {
  const pace = new Pace(turning().world);
  const order: string[] = [];
  const list = async (name: string) => {
    for (let piece = 1; piece <= 2; piece++) {
      await pace.turn();
      order.push(`${name}${piece}`);
    }
  };
  await Promise.all([list('a'), list('b')]);
  expect(order).toEqual(['a1', 'b1', 'a2', 'b2']);
});

it('leaves several turns of the loop to everybody else between two pieces, however many wait', async () => {
  const { world, counted } = turning();
  const pace = new Pace(world);
  await Promise.all(Array.from({ length: 5 }, () => pace.turn()));
  expect(counted.turns).toBe(5 * 4);
});
