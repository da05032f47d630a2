import { expect, it } from 'vitest';

import { openMemoryStore } from '../store/sqlite/index.ts';
import { interpose, virtualWorld } from '../testing/index.ts';
import { IdempotencyRecord } from './idempotency-record.ts';
import { watchStandstill } from './standstill.ts';
import { openBench, Thing, thingId, validThing } from './things.fixture.ts';

/** A process that can be stopped: time passes, and its timers fire late. */
function stoppable() {
  let now_ms = 0;
  let suspended_ms = 0;
  let timers: { readonly at_ms: number; readonly callback: () => void }[] = [];
  const stop = new AbortController();
  const isDoubtful = watchStandstill(
    {
      now: () => now_ms + suspended_ms,
      monotonic_ms: () => now_ms,
      after: (delay_ms, callback) => {
        const timer = { at_ms: now_ms + delay_ms, callback };
        timers.push(timer);
        return () => {
          timers = timers.filter((each) => each !== timer);
        };
      },
    },
    stop.signal,
  );
  return {
    isDoubtful,
    now: () => now_ms,
    stand: (period_ms: number) => {
      now_ms += period_ms;
    },
    suspend: (period_ms: number) => {
      suspended_ms += period_ms;
    },
    run: (period_ms: number) => {
      for (const end_ms = now_ms + period_ms; now_ms < end_ms; now_ms += 100)
        for (const timer of timers.filter(({ at_ms }) => at_ms <= now_ms)) {
          timers = timers.filter((each) => each !== timer);
          timer.callback();
        }
    },
    end: () => {
      stop.abort();
      return timers.length;
    },
  };
}

it('requests from before and shortly after a standstill are doubtful, also if its timers have not fired yet', () => {
  const process = stoppable();
  process.run(60_000);
  const before_ms = process.now();
  expect(process.isDoubtful(before_ms)).toBe(false);
  process.stand(18_000);
  expect(process.isDoubtful(process.now())).toBe(true);
  expect(process.isDoubtful(before_ms)).toBe(true);
  process.run(2_000);
  expect(process.isDoubtful(before_ms)).toBe(true);
  expect(process.isDoubtful(process.now())).toBe(false);
  expect(process.end()).toBe(0);
});

it('a machine that was suspended stood still, although its clock for durations did not count the time', () => {
  const process = stoppable();
  process.run(60_000);
  const before_ms = process.now();
  process.suspend(18_000);
  expect(process.isDoubtful(before_ms)).toBe(true);
  process.run(2_000);
  expect(process.isDoubtful(process.now())).toBe(false);
  expect(process.end()).toBe(0);
});

it('a short delay is no standstill', () => {
  const process = stoppable();
  process.run(10_000);
  process.stand(3_000);
  expect(process.isDoubtful(process.now())).toBe(false);
});

it('a change that waited during a standstill is refused, and a read is answered', async () => {
  let stood = false;
  await using bench = await openBench({ standstill: () => stood });
  await bench.makeThing(thingId(1));
  const url = `/api/v2/things/${thingId(1)}`;
  const body = { ...validThing, spec: { colour: 'blue' } };
  stood = true;
  const refused = await bench.call('PUT', url, { body });
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2']);
  expect((await bench.call('DELETE', url)).statusCode).toBe(503);
  expect((await bench.call('GET', url)).statusCode).toBe(200);
  stood = false;
  expect((await bench.call('PUT', url, { body })).statusCode).toBeLessThan(300);
});

it('a change is refused if the process stood still before it read the object', async () => {
  let stood = false;
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: [Thing, IdempotencyRecord] });
  await using bench = await openBench({
    world,
    standstill: () => stood,
    store: interpose(store, (call, happen) => {
      if (call.verb === 'get' && call.kind === Thing) stood = true;
      return happen();
    }),
  });
  await bench.makeThing(thingId(1));
  const url = `/api/v2/things/${thingId(1)}`;
  const before = await store.get(Thing, thingId(1));
  const body = { ...validThing, spec: { colour: 'blue' } };
  expect((await bench.call('PUT', url, { body })).statusCode).toBe(503);
  expect(await store.get(Thing, thingId(1))).toEqual(before);
});
