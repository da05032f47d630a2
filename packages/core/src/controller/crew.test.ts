import { describe, expect, it } from 'vitest';

import { limits } from '../limits.ts';
import { requestsIn } from '../requests.ts';
import { silentTelemetry, virtualWorld } from '../testing/index.ts';
import { runCrew } from './crew.ts';
import { WorkQueue } from './queue.ts';

const concurrency = limits.reconcilesReserved + 3 * limits.reconcilesPerRequest;
const work_ms = 100;

/** A crew that processes a number of slow keys while a number of requests is in progress. */
function stage({ keys, requests }: { readonly keys: number; readonly requests: number }) {
  const world = virtualWorld();
  const queue = new WorkQueue(world);
  const stop = new AbortController();
  const answers = Array.from({ length: requests }, () => Promise.withResolvers<undefined>());
  for (const { promise } of answers) void requestsIn(world).answering(promise);
  for (let key = 0; key < keys; key++) queue.add(`${key}`, { priority: 'change', cause: 'spec' });
  const handled: string[] = [];
  const handle = async ({ key }: { readonly key: string }) => {
    await world.sleep(work_ms);
    handled.push(key);
    return 'done';
  };
  const ended = runCrew(
    queue,
    { name: 'test', concurrency, handle, retrying: () => 0, parked: () => 0 },
    { world, telemetry: silentTelemetry() },
    stop.signal,
  );
  const answer = async () => {
    answers.pop()?.resolve(undefined);
    await world.advance(limits.aftermath_ms);
  };
  /** The number of keys that were processed in the time of one key. */
  const round = async () => {
    const before = handled.length;
    await world.advance(work_ms);
    return handled.length - before;
  };
  return { world, round, answer, stop, ended };
}

describe('while requests are being answered', () => {
  it('each request pauses some workers, and all workers continue after the response', async () => {
    const { round, answer } = stage({ keys: 100, requests: 3 });
    expect(await round()).toBe(concurrency - 3 * limits.reconcilesPerRequest);
    await answer();
    expect(await round()).toBe(concurrency - 2 * limits.reconcilesPerRequest);
    await answer();
    await answer();
    expect(await round()).toBe(concurrency);
  });

  it('at least one worker continues, however many requests there are', async () => {
    const { round } = stage({ keys: 100, requests: 1_000 });
    for (let rounds = 0; rounds < 5; rounds++) expect(await round()).toBe(limits.reconcilesReserved);
  });

  it('quick requests hardly pause any worker, however many there are', async () => {
    const { world, round } = stage({ keys: 1_000, requests: 0 });
    const busy = (async () => {
      for (let request = 0; request < 1_000; request++) {
        void requestsIn(world).answering(world.sleep(1));
        await world.sleep(1);
      }
    })();
    for (let rounds = 0; rounds < 5; rounds++)
      expect(await round()).toBeGreaterThanOrEqual(concurrency - 2 * limits.reconcilesPerRequest);
    await world.advance(1_000);
    await busy;
  });

  it('long requests stop pausing workers after a while', async () => {
    const { world, round } = stage({ keys: 1_000, requests: 1_000 });
    await world.advance(limits.precedence_ms);
    expect(await round()).toBe(concurrency);
  });

  it('paused workers end as soon as they are stopped', async () => {
    const { world, round, stop, ended } = stage({ keys: 1, requests: 1_000 });
    await round();
    const told_ms = world.now();
    stop.abort();
    await world.settle();
    await ended;
    expect(world.now()).toBe(told_ms);
  });
});
