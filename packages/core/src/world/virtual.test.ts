import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { virtualWorld } from '../testing/index.ts';
import { preciseTimestamp, timestamp, type VirtualWorld } from './index.ts';

const hour_ms = 3600_000;

/** Everything that a program can read from a world. */
async function run(world: VirtualWorld): Promise<unknown[]> {
  const seen: unknown[] = [];
  const note = (what: string) => {
    seen.push([what, world.now(), world.random(), world.uuid()]);
  };
  for (let timer = 0; timer < 20; timer++) {
    world.after(Math.floor(world.random() * 1000), () => {
      note(`timer ${timer}`);
    });
  }
  await world.advance(1000);
  return [...seen, world.randomBytes(8).join()];
}

describe('determinism', () => {
  it('a seed repeats a run exactly and another seed does not', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), async (seed) => {
        const first = await run(virtualWorld(seed));
        expect(await run(virtualWorld(seed))).toEqual(first);
        expect(await run(virtualWorld(seed + 1))).not.toEqual(first);
      }),
      { numRuns: 10, seed: 1 },
    );
  });

  it('randomness is uniform enough, within [0, 1), and ids are UUIDv4', () => {
    const world = virtualWorld(7);
    const draws = Array.from({ length: 10_000 }, () => world.random());
    expect(draws.every((draw) => draw >= 0 && draw < 1)).toBe(true);
    expect(draws.reduce((sum, draw) => sum + draw, 0) / draws.length).toBeCloseTo(0.5, 1);
    expect(world.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(world.randomBytes(5)).toHaveLength(5);
  });
});

describe('time', () => {
  it('does not pass until it is advanced', async () => {
    const world = virtualWorld();
    const start = world.now();
    await world.settle();
    expect([world.now() - start, world.monotonic_ms()]).toEqual([0, 0]);
    await world.advance(1500);
    expect([world.now() - start, world.monotonic_ms()]).toEqual([1500, 1500]);
  });

  it('timers fire by due time, those of one instant in the order they were set, each at its own time', async () => {
    const world = virtualWorld();
    const fired: string[] = [];
    const set = (name: string, delay_ms: number) =>
      world.after(delay_ms, () => {
        fired.push(`${name}@${world.monotonic_ms()}`);
      });
    set('c', 30);
    set('a', 10);
    set('b1', 20);
    set('b2', 20);
    set('late', 31);
    await world.advance(30);
    expect(fired).toEqual(['a@10', 'b1@20', 'b2@20', 'c@30']);
  });

  it('any set of timers fires in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(50), { maxLength: 20 }), async (delays) => {
        const world = virtualWorld();
        const fired: { delay: number; index: number }[] = [];
        for (const [index, delay] of delays.entries()) world.after(delay, () => fired.push({ delay, index }));
        await world.advance(50);
        expect(fired).toEqual(
          delays.map((delay, index) => ({ delay, index })).sort((a, b) => a.delay - b.delay || a.index - b.index),
        );
      }),
      { numRuns: 20, seed: 1 },
    );
  });

  it('a timer set by a timer fires in the same advance, and its consequences settle before the next', async () => {
    const world = virtualWorld();
    const seen: string[] = [];
    world.after(10, () => {
      void world.sleep(5).then(() => seen.push('set on the way'));
      void Promise.resolve().then(() => seen.push('consequence'));
    });
    world.after(11, () => seen.push('next'));
    await world.advance(20);
    expect(seen).toEqual(['consequence', 'next', 'set on the way']);
  });

  it('a cancelled timer does not fire, and cancelling twice does nothing', async () => {
    const world = virtualWorld();
    let fired = 0;
    const cancel = world.after(10, () => fired++);
    cancel();
    cancel();
    await world.advance(20);
    expect(fired).toBe(0);
  });

  it('a negative delay counts as zero: it overtakes no timer, and time never goes backwards', async () => {
    const world = virtualWorld();
    const fired: string[] = [];
    world.after(0, () => fired.push(`first@${world.monotonic_ms()}`));
    world.after(-100, () => fired.push(`second@${world.monotonic_ms()}`));
    await world.advance(0);
    expect(fired).toEqual(['first@0', 'second@0']);
  });

  it('days of ticking run without waiting for any of it', async () => {
    const world = virtualWorld();
    let ticks = 0;
    const tick = () => {
      ticks++;
      world.after(hour_ms, tick);
    };
    world.after(hour_ms, tick);
    await world.advance(48 * hour_ms);
    expect(ticks).toBe(48);
  });
});

describe('sleep', () => {
  it('ends after its time', async () => {
    const world = virtualWorld();
    let awake = false;
    void world.sleep(100).then(() => {
      awake = true;
    });
    await world.advance(99);
    expect(awake).toBe(false);
    await world.advance(1);
    expect(awake).toBe(true);
  });

  it('ends at once, without error and without a timer left, when the signal aborts', async () => {
    const world = virtualWorld();
    const controller = new AbortController();
    const sleeping = world.sleep(hour_ms, controller.signal);
    controller.abort();
    await sleeping;
    await world.sleep(hour_ms, controller.signal);
    expect(world.monotonic_ms()).toBe(0);
    await expect(world.until(() => false)).rejects.toThrow('did not become true');
    expect(world.monotonic_ms()).toBe(0);
  });
});

describe('until', () => {
  it('advances exactly as far as necessary', async () => {
    const world = virtualWorld();
    let done = false;
    void world.sleep(5 * hour_ms).then(() => {
      done = true;
    });
    void world.sleep(9 * hour_ms);
    await world.until(() => done);
    expect(world.monotonic_ms()).toBe(5 * hour_ms);
  });

  it('accepts an asynchronous condition', async () => {
    const world = virtualWorld();
    await world.advance(1);
    void world.sleep(10);
    await world.until(() => Promise.resolve(world.monotonic_ms() > 1));
    expect(world.monotonic_ms()).toBe(11);
  });

  it('names the seed and the limit when the condition does not come to hold', async () => {
    const world = virtualWorld(42);
    const tick = () => {
      world.after(1000, tick);
    };
    tick();
    await expect(world.until(() => false, 60_000)).rejects.toThrow('within 60000 ms of virtual time (seed 42)');
  });
});

it('settling lets chains of promises and turns run, but no time pass', async () => {
  const world = virtualWorld();
  let steps = 0;
  void (async () => {
    for (; steps < 100; steps++) await Promise.resolve();
    await world.turn();
    steps++;
  })();
  await world.settle();
  expect([steps, world.monotonic_ms()]).toEqual([101, 0]);
});

it('timestamps are RFC 3339 in UTC, with seconds or microseconds', () => {
  const now = Date.parse('2026-02-03T04:05:06.789Z');
  expect(timestamp(now)).toBe('2026-02-03T04:05:06Z');
  expect(preciseTimestamp(now)).toBe('2026-02-03T04:05:06.789000Z');
});
