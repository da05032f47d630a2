import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { virtualWorld } from '../testing/index.ts';
import { VirtualWorld } from '../world/index.ts';
import { priorities, WorkQueue, type Priority, type Work } from './queue.ts';

const changed = { priority: 'change', cause: 'spec' } as const;
const resync = { priority: 'resync', cause: 'resync' } as const;

function openQueue() {
  const world = virtualWorld();
  const queue = new WorkQueue(world);
  const taken: string[] = [];
  const take = async (): Promise<Work | undefined> => {
    let work: Work | undefined;
    void queue.next().then((next) => {
      work = next;
      if (next) taken.push(next.key);
    });
    await Promise.resolve();
    return work;
  };
  return { world, queue, taken, take };
}

describe('WorkQueue', () => {
  it('returns a key once however often it was added, with every cause', async () => {
    const { queue, take } = openQueue();
    queue.add('a', changed);
    queue.add('a', resync);
    queue.add('b', changed);
    expect(await take()).toEqual({ key: 'a', causes: ['spec', 'resync'] });
    expect((await take())?.key).toBe('b');
    expect(await take()).toBeUndefined();
  });

  it('never returns a key that is being processed, and returns it again afterwards', async () => {
    const { queue, take, taken } = openQueue();
    queue.add('a', changed);
    await take();
    queue.add('a', changed);
    expect(await take()).toBeUndefined();
    expect(queue.depth('change')).toBe(0);
    queue.finish('a');
    await Promise.resolve();
    expect(taken).toEqual(['a', 'a']);
  });

  it('serves a change before a dependency before a retry before a resync', async () => {
    const { queue, take, taken } = openQueue();
    for (const priority of priorities.toReversed()) queue.add(priority, { priority, cause: 'x' });
    for (let index = 0; index < 4; index++) await take();
    expect(taken).toEqual(priorities);
  });

  it('raises a waiting key to the more urgent priority', async () => {
    const { queue, take } = openQueue();
    queue.add('a', resync);
    queue.add('b', resync);
    queue.add('b', changed);
    expect(queue.depth('resync')).toBe(1);
    expect((await take())?.key).toBe('b');
  });

  it('starves no key: every eighth key is the one that has waited longest', async () => {
    const { queue, take, taken } = openQueue();
    queue.add('old', resync);
    for (let index = 0; index < 20; index++) queue.add(`new ${index}`, changed);
    for (let index = 0; index < 8; index++) await take();
    expect(taken.indexOf('old')).toBe(7);
  });

  it('holds a delayed key back until its time, the earlier of two', async () => {
    const { world, queue, take, taken } = openQueue();
    queue.add('a', { ...resync, after_ms: 60_000 });
    queue.add('a', { priority: 'retry', cause: 'errored', after_ms: 1_000 });
    expect(await take()).toBeUndefined();
    await world.advance(999);
    expect(taken).toEqual([]);
    await world.advance(1);
    expect(taken).toEqual(['a']);
  });

  it('lets a change overtake the delay of the same key', async () => {
    const { queue, take } = openQueue();
    queue.add('a', { priority: 'retry', cause: 'errored', after_ms: 60_000 });
    queue.add('a', changed);
    expect((await take())?.key).toBe('a');
    expect(queue.delayed).toBe(0);
  });

  it('keeps one timer for a hundred thousand delayed keys', async () => {
    const world = virtualWorld();
    const timers = vi.spyOn(world, 'after');
    const cancelled: unknown[] = [];
    timers.mockImplementation((delay_ms, callback) => {
      const cancel = VirtualWorld.prototype.after.call(world, delay_ms, callback);
      return () => {
        cancelled.push(callback);
        cancel();
      };
    });
    const queue = new WorkQueue(world);
    for (let index = 0; index < 100_000; index++)
      queue.add(String(index), { ...resync, after_ms: 1_000 - (index % 1_000) });
    expect(timers.mock.calls.length - cancelled.length).toBe(1);
    expect(queue.delayed).toBe(100_000);
    await world.advance(1_000);
    expect(queue.depth('resync')).toBe(100_000);
  });

  it('reports how long the oldest key has been waiting', async () => {
    const { world, queue } = openQueue();
    queue.add('a', changed);
    await world.advance(3_000);
    queue.add('b', changed);
    expect(queue.oldest_ms).toBe(3_000);
  });

  it('ends every wait when it is closed', async () => {
    const { queue } = openQueue();
    const waiting = queue.next();
    queue.close();
    queue.add('a', changed);
    expect(await waiting).toBeUndefined();
    expect(await queue.next()).toBeUndefined();
  });

  it('loses no wake-up and never runs a key twice at once, in any order of events', async () => {
    const step = fc.oneof(
      fc.record({
        do: fc.constant('add' as const),
        key: fc.integer({ min: 0, max: 4 }),
        priority: fc.constantFrom<Priority>(...priorities),
        after_ms: fc.integer({ min: 0, max: 50 }),
      }),
      fc.record({ do: fc.constant('take' as const) }),
      fc.record({ do: fc.constant('finish' as const), key: fc.integer({ min: 0, max: 4 }) }),
      fc.record({ do: fc.constant('wait' as const), for_ms: fc.integer({ min: 0, max: 60 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { world, queue } = openQueue();
        const [owed, running] = [new Set<string>(), new Set<string>()];
        const taken = (work: Work | undefined) => {
          if (!work) return;
          expect(running.has(work.key)).toBe(false);
          expect(owed.delete(work.key)).toBe(true);
          running.add(work.key);
        };
        for (const current of steps) {
          if (current.do === 'add') {
            owed.add(String(current.key));
            queue.add(String(current.key), { priority: current.priority, cause: 'x', after_ms: current.after_ms });
          } else if (current.do === 'take') void queue.next().then(taken);
          else if (current.do === 'wait') await world.advance(current.for_ms);
          else if (running.delete(String(current.key))) queue.finish(String(current.key));
          await Promise.resolve();
        }
        for (let round = 0; owed.size > 0 && round < 100; round++) {
          for (const key of running) queue.finish(key);
          running.clear();
          void queue.next().then(taken);
          await world.advance(60);
        }
        expect([...owed]).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
