import { expect, it } from 'vitest';

import { Pace } from './pace.ts';
import { virtualWorld } from './testing/index.ts';

/** A world that counts the turns of its event loop. */
function turning() {
  const world = virtualWorld();
  const counted = { turns: 0 };
  return {
    counted,
    world: Object.assign(Object.create(world) as typeof world, {
      monotonic_ms: () => 0,
      turn: () => {
        counted.turns++;
        return Promise.resolve();
      },
    }),
  };
}

it('runs one piece at a time, in order of request', async () => {
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

it('leaves several turns of the event loop to other work between two pieces, however many wait', async () => {
  const { world, counted } = turning();
  const pace = new Pace(world);
  await Promise.all(Array.from({ length: 5 }, () => pace.turn()));
  expect(counted.turns).toBeGreaterThanOrEqual(5 * 4);
});

it('leaves three times the duration of a piece to other work, and does not wait if there is none', async () => {
  const { world, clock } = busy();
  const pace = new Pace(world);
  const pauses: number[] = [];
  for (const others of [2, 0]) {
    clock.turn_ms = others;
    await pace.turn();
    clock.now_ms += 10;
    const ended_ms = clock.now_ms;
    await pace.turn();
    pauses.push(clock.now_ms - ended_ms);
  }
  expect(pauses[0]).toBeGreaterThanOrEqual(30);
  expect(pauses[0]).toBeLessThan(50);
  expect(pauses[1]).toBe(0);
});

/** A world in which every turn of the event loop takes this long, because there is other work. */
function busy() {
  const clock = { now_ms: 0, turn_ms: 0 };
  const turn = () => {
    clock.now_ms += clock.turn_ms;
    return Promise.resolve();
  };
  return {
    clock,
    world: Object.assign(Object.create(virtualWorld()) as ReturnType<typeof virtualWorld>, {
      turn,
      monotonic_ms: () => clock.now_ms,
    }),
  };
}
