import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Problem } from '../errors/index.ts';
import { limits } from '../limits.ts';
import { interpose, isWrite, silentTelemetry } from '../testing/index.ts';
import { ensureTenure, TenureLost } from '../tenure.ts';
import type { Cancel, VirtualWorld, World } from '../world/index.ts';
import { stage, TestStore } from './controller.fixture.ts';
import { runAsLeader } from './election.ts';
import { Lease } from './lease.ts';

/**
 * The world of one process. Its timers stop while it is paused, and fire late and in order when it continues.
 */
class PausableWorld implements World {
  paused = false;
  readonly #world: VirtualWorld;
  readonly #late: (() => void)[] = [];

  constructor(world: VirtualWorld) {
    this.#world = world;
  }

  resume(): void {
    this.paused = false;
    for (const callback of this.#late.splice(0)) callback();
  }

  after(delay_ms: number, callback: () => void): Cancel {
    let cancelled = false;
    const fire = () => {
      if (cancelled) return;
      if (this.paused) this.#late.push(fire);
      else callback();
    };
    const cancel = this.#world.after(delay_ms, fire);
    return () => {
      cancelled = true;
      cancel();
    };
  }

  sleep(delay_ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        cancel();
        resolve();
      };
      const cancel = this.after(delay_ms, finish);
      if (signal?.aborted) finish();
      else signal?.addEventListener('abort', finish, { once: true });
    });
  }

  /** Each machine has its own clock, and each clock is wrong. */
  skew_ms = 0;
  now = () => this.#world.now() + this.skew_ms;
  /** The clock for durations stands still while a machine is suspended. */
  suspended_ms = 0;
  monotonic_ms = () => this.#world.monotonic_ms() - this.suspended_ms;
  turn = () => this.#world.turn();
  random = () => this.#world.random();
  randomBytes = (size: number) => this.#world.randomBytes(size);
  uuid = () => this.#world.uuid();
}

/** A candidate: it knows whether it leads, and takes a while to stop. */
class Contender {
  readonly stop = new AbortController();
  readonly world: PausableWorld;
  readonly store: TestStore;
  readonly ended: Promise<void>;
  leading = false;
  terms = 0;
  /** Work that the leader waits for. When it is ready, the leader acts on another service. */
  ready = Promise.withResolvers<undefined>();
  acted: unknown = undefined;

  constructor(processName: string, scene: { world: VirtualWorld; store: TestStore }) {
    this.world = new PausableWorld(scene.world);
    this.store = new TestStore(scene.store);
    const election = { store: this.store, world: this.world, telemetry: silentTelemetry(), name: 'lock', processName };
    this.ended = runAsLeader(election, this.stop.signal, async (signal) => {
      this.terms++;
      this.leading = true;
      void this.ready.promise.then(() => {
        try {
          ensureTenure();
          this.acted = 'acted';
        } catch (refusal) {
          this.acted = { refusal, told: signal.aborted };
        }
      });
      await new Promise<void>((resolve) => {
        signal.addEventListener(
          'abort',
          () => {
            resolve();
          },
          { once: true },
        );
      });
      this.leading = false;
    });
  }

  /** A paused process does nothing, even if it believes that it leads. */
  get acting(): boolean {
    return this.leading && !this.world.paused;
  }
}

function two(seed?: number) {
  const scene = stage(seed);
  const contenders = ['a', 'b'].map((processName) => new Contender(processName, scene));
  const [a, b] = contenders;
  if (!a || !b) throw new Error('two contenders');
  const leaders = () => contenders.filter(({ acting }) => acting).length;
  const end = async () => {
    for (const { stop, world } of contenders) {
      stop.abort();
      world.resume();
    }
    let ended = false;
    void Promise.all(contenders.map((contender) => contender.ended)).then(() => {
      ended = true;
    });
    await scene.world.until(() => ended);
  };
  return { ...scene, a, b, leaders, end };
}

describe('runAsLeader', () => {
  it('one of two candidates leads and keeps the lease, and the other takes over at once when it stops', async () => {
    const { a, b, world, store, leaders, end } = two();
    await world.until(() => leaders() === 1);
    const [leader, other] = a.leading ? [a, b] : [b, a];
    await world.advance(10 * limits.lease_ms);
    expect([leader.leading, other.leading]).toEqual([true, false]);
    const lease = await store.get(Lease, 'lock');
    expect(lease?.spec).toMatchObject({ leaseDurationSeconds: limits.lease_ms / 1000, leaseTransitions: 0 });
    expect(lease?.spec.renewTime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    leader.stop.abort();
    await leader.ended;
    await world.until(() => other.leading, 10);
    await end();
  });

  it('a candidate that lost the race for the lease takes over at once when the winner stops', async () => {
    const { a, b, world, leaders, end } = two();
    // Both candidates find no lease, and both write one.
    await world.until(() => leaders() === 1);
    const [winner, loser] = a.leading ? [a, b] : [b, a];
    const stopped_ms = world.monotonic_ms();
    winner.stop.abort();
    await world.until(() => loser.leading);
    expect(world.monotonic_ms()).toBe(stopped_ms);
    await end();
  });

  it('the other takes over as soon as the lease of a leader that was killed has expired', async () => {
    const { a, b, world, leaders, end } = two();
    await world.until(() => leaders() === 1);
    await world.advance(10 * limits.lease_ms);
    const [leader, other] = a.leading ? [a, b] : [b, a];
    leader.world.paused = true;
    const killed_ms = world.monotonic_ms();
    await world.until(() => other.leading, 2 * limits.lease_ms);
    expect(world.monotonic_ms() - killed_ms).toBeLessThanOrEqual(limits.lease_ms);
    await end();
  });

  it('a leader that cannot renew stops before the other may lead', async () => {
    const { a, b, world, leaders, end } = two();
    await world.until(() => leaders() === 1);
    const [leader, other] = a.leading ? [a, b] : [b, a];
    leader.store.fault = () => new Problem('storage_unavailable', 'cut off');
    await world.until(() => !leader.leading);
    expect(other.leading).toBe(false);
    await world.until(() => other.leading);
    leader.store.fault = () => undefined;
    await world.advance(5 * limits.lease_ms);
    expect([leader.leading, other.leading]).toEqual([false, true]);
    await end();
  });

  it.each([
    ['taking the lease', 0],
    ['renewing it', 1],
  ])(
    'a leader leads no longer than the lease that it asked for, however late the answer to %s comes',
    async (_, slowWrite) => {
      const { world, store: inner } = stage();
      let writes = 0;
      let asked_ms = 0;
      const answer_ms = limits.lease_ms / 5;
      const store = interpose(inner, async (call, happen) => {
        if (!isWrite(call)) return happen();
        if (writes++ > slowWrite) throw new Problem('storage_unavailable', 'cut off');
        asked_ms = world.monotonic_ms();
        const answer = await happen();
        if (writes > slowWrite) await world.sleep(answer_ms);
        return answer;
      });
      const stop = new AbortController();
      let ended_ms: number | undefined;
      const running = runAsLeader(
        { store, world, telemetry: silentTelemetry(), name: 'lock', processName: 'a' },
        stop.signal,
        async (signal) => {
          await new Promise<void>((resolve) => {
            signal.addEventListener(
              'abort',
              () => {
                resolve();
              },
              { once: true },
            );
          });
          ended_ms ??= world.monotonic_ms();
        },
      );
      await world.until(() => ended_ms !== undefined);
      expect(ended_ms).toBe(asked_ms + (limits.lease_ms * 2) / 3);
      let over = false;
      void running.then(() => {
        over = true;
      });
      stop.abort();
      await world.until(() => over);
    },
  );

  it('a leader that stops during a renewal still releases the lease', async () => {
    const { world, store: inner } = stage();
    let renewing = false;
    const store = interpose(inner, async (call, happen) => {
      const answer = await happen();
      if (call.verb === 'update' && !renewing) {
        renewing = true;
        await world.sleep(limits.lease_ms / 5);
      }
      return answer;
    });
    const stop = new AbortController();
    let over = false;
    const running = runAsLeader(
      { store, world, telemetry: silentTelemetry(), name: 'lock', processName: 'a' },
      stop.signal,
      async (signal) => {
        await new Promise<void>((resolve) => {
          signal.addEventListener(
            'abort',
            () => {
              resolve();
            },
            { once: true },
          );
        });
      },
    );
    void running.then(() => {
      over = true;
    });
    await world.until(() => renewing);
    stop.abort();
    await world.until(() => over);
    expect((await inner.get(Lease, 'lock'))?.spec.holderIdentity).toBeUndefined();
  });

  it('a store that answers every renewal late does not cost the lead', async () => {
    const { world, store: inner } = stage();
    const slow = interpose(inner, async (call, happen) => {
      const answer = await happen();
      if (call.verb === 'update') await world.sleep(limits.lease_ms / 4);
      return answer;
    });
    const leader = new Contender('a', { world, store: new TestStore(slow) });
    await world.until(() => leader.leading);
    await world.advance(10 * limits.lease_ms);
    expect(leader.leading).toBe(true);
    expect(leader.terms).toBe(1);
    leader.stop.abort();
    await world.advance(limits.lease_ms);
    await leader.ended;
  });

  it('a short failure of the store does not cost the lead', async () => {
    const { a, b, world, leaders, end } = two();
    await world.until(() => leaders() === 1);
    const [leader] = a.leading ? [a] : [b];
    leader.store.fault = () => new Problem('storage_unavailable', 'a blip');
    await world.advance(limits.lease_ms / 2);
    leader.store.fault = () => undefined;
    await world.advance(10 * limits.lease_ms);
    expect(leader.leading).toBe(true);
    expect(leader.terms).toBe(1);
    await end();
  });

  it('a leader that was paused notices that it lost the lease before it continues', async () => {
    const { a, b, world, leaders, end } = two();
    await world.until(() => leaders() === 1);
    const [leader, other] = a.leading ? [a, b] : [b, a];
    leader.world.paused = true;
    await world.until(() => other.leading);
    leader.world.resume();
    await world.settle();
    expect([leader.acting, other.acting]).toEqual([false, true]);
    await end();
  });

  it('a leader that was paused does not act, even if its work continues before its timers', async () => {
    const { a, b, world, leaders, end } = two();
    await world.until(() => leaders() === 1);
    const [leader, other] = a.leading ? [a, b] : [b, a];
    leader.world.paused = true;
    await world.until(() => other.leading);
    leader.ready.resolve(undefined);
    other.ready.resolve(undefined);
    await world.settle();
    expect(leader.acted).toEqual({ refusal: expect.any(TenureLost) as unknown, told: true });
    expect(other.acted).toBe('acted');
    await end();
  });

  it('a leader whose machine was suspended does not act, although its clock for durations stood still', async () => {
    const { a, b, world, leaders, end } = two();
    await world.until(() => leaders() === 1);
    const [leader, other] = a.leading ? [a, b] : [b, a];
    leader.world.paused = true;
    const from_ms = world.monotonic_ms();
    await world.until(() => other.leading);
    leader.world.suspended_ms = world.monotonic_ms() - from_ms;
    leader.ready.resolve(undefined);
    await world.settle();
    expect(leader.acted).toEqual({ refusal: expect.any(TenureLost) as unknown, told: true });
    await end();
  });

  it('a leader whose clock is set back still acts, and stops in time when it cannot renew', async () => {
    const { a, b, world, leaders, end } = two();
    await world.until(() => leaders() === 1);
    const leader = a.leading ? a : b;
    leader.world.skew_ms = -3600_000;
    leader.ready.resolve(undefined);
    await world.settle();
    expect(leader.acted).toBe('acted');
    leader.store.fault = () => new Problem('storage_unavailable', 'cut off');
    for (let passed_ms = 0; passed_ms < 2 * limits.lease_ms; passed_ms += 500) {
      await world.advance(500);
      expect(leaders()).toBeLessThanOrEqual(1);
    }
    expect(leader.leading).toBe(false);
    await end();
  });

  it('a lease that an operator deletes does not lead to two leaders at once', async () => {
    const { a, b, world, store, leaders, end } = two();
    await world.until(() => leaders() === 1);
    await store.delete(Lease, 'lock');
    for (let passed_ms = 0; passed_ms < 2 * limits.lease_ms; passed_ms += 100) {
      await world.advance(100);
      expect(leaders()).toBeLessThanOrEqual(1);
    }
    expect(leaders()).toBe(1);
    expect(a.terms + b.terms).toBe(2);
    await end();
  });

  it('a leader acts while it stops, because it keeps the lease until its work has ended', async () => {
    const { a, b, world, leaders, end } = two();
    await world.until(() => leaders() === 1);
    const leader = a.leading ? a : b;
    leader.ready.resolve(undefined);
    leader.stop.abort();
    await world.settle();
    expect(leader.acted).toBe('acted');
    await end();
  });

  it('a leader whose lease was taken by force stops at its next renewal', async () => {
    const { a, b, world, store, leaders, end } = two();
    await world.until(() => leaders() === 1);
    const leader = a.leading ? a : b;
    const lease = await store.get(Lease, 'lock');
    if (lease)
      await store.update(Lease, { metadata: lease.metadata, spec: { ...lease.spec, holderIdentity: 'an operator' } });
    await world.advance(limits.lease_ms / 3);
    expect(leader.leading).toBe(false);
    await end();
  });

  it('a candidate whose clock is wrong by hours does not take the lease', async () => {
    const { a, b, world, leaders, end } = two();
    await world.until(() => leaders() === 1);
    const [leader, other] = a.leading ? [a, b] : [b, a];
    other.world.skew_ms = 5 * 3600_000;
    await world.advance(10 * limits.lease_ms);
    expect([leader.leading, other.leading]).toEqual([true, false]);
    await end();
  });

  it('a lease of an earlier process is taken at once if no other process can use the store', async () => {
    const scene = stage();
    await scene.store.create(Lease, {
      metadata: { name: 'lock' },
      spec: {
        holderIdentity: 'a process that was killed',
        leaseDurationSeconds: 15,
        renewTime: '2026-01-01T00:00:00.000000Z',
      },
    });
    const patient = new Contender('patient', scene);
    await scene.world.settle();
    expect(patient.leading).toBe(false);
    patient.stop.abort();
    await patient.ended;
    const store = new TestStore(scene.store);
    store.sole = true;
    const stop = new AbortController();
    let led = false;
    await runAsLeader(
      { store, world: scene.world, telemetry: scene.telemetry, name: 'lock', processName: 'new' },
      stop.signal,
      () => {
        led = true;
        return Promise.resolve();
      },
    );
    expect(led).toBe(true);
    expect((await scene.store.get(Lease, 'lock'))?.spec).toMatchObject({ leaseTransitions: 1 });
    expect((await scene.store.get(Lease, 'lock'))?.spec.holderIdentity).toBeUndefined();
  });

  it('an error of the work is thrown, and the lease is released', async () => {
    const { world, store, telemetry } = stage();
    const run = runAsLeader(
      { store, world, telemetry, name: 'lock', processName: 'a' },
      new AbortController().signal,
      () => Promise.reject(new Error('boom')),
    );
    await expect(run).rejects.toThrow('boom');
    expect((await store.get(Lease, 'lock'))?.spec.holderIdentity).toBeUndefined();
  });

  it('there are never two leaders at once, whatever fails or pauses, and there is one when nothing fails', async () => {
    const event = fc.record({
      after_ms: fc.integer({ min: 0, max: 20_000 }),
      who: fc.constantFrom('a' as const, 'b' as const),
      what: fc.constantFrom(
        'cut off' as const,
        'connect' as const,
        'pause' as const,
        'resume' as const,
        'lose answers' as const,
      ),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.array(event, { maxLength: 25 }),
        async (seed, events) => {
          const scene = two(seed);
          const { world, leaders, end } = scene;
          const pass = async (duration_ms: number) => {
            for (let passed = 0; passed < duration_ms; passed += 500) {
              await world.advance(500);
              expect(leaders()).toBeLessThanOrEqual(1);
            }
          };
          for (const { after_ms, who, what } of events) {
            await pass(after_ms);
            const contender = scene[who];
            if (what === 'pause') contender.world.paused = true;
            else if (what === 'resume') {
              contender.world.resume();
              await world.settle();
            } else {
              contender.store.fault = () =>
                what === 'cut off' ? new Problem('storage_unavailable', 'cut off') : undefined;
              contender.store.lostAnswer = () =>
                what === 'lose answers' ? new Problem('storage_unavailable', 'no answer') : undefined;
            }
          }
          for (const contender of [scene.a, scene.b]) {
            contender.store.fault = contender.store.lostAnswer = () => undefined;
            contender.world.resume();
          }
          await pass(4 * limits.lease_ms);
          expect(leaders()).toBe(1);
          await end();
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('a process that is alone with its store', () => {
  it('keeps the lead after any pause or failed renewal, because no other process can lead', async () => {
    const { world, store } = stage();
    const alone = new Contender('a', { world, store });
    alone.store.sole = true;
    await world.until(() => alone.leading);
    alone.world.paused = true;
    await world.advance(10 * limits.lease_ms);
    alone.world.resume();
    await world.settle();
    alone.store.fault = () => new Problem('storage_unavailable', 'the disk is full');
    await world.advance(10 * limits.lease_ms);
    expect([alone.leading, alone.terms]).toEqual([true, 1]);
    alone.stop.abort();
    await alone.ended;
  });

  it('leads again after its lease was removed', async () => {
    const { world, store } = stage();
    const alone = new Contender('a', { world, store });
    alone.store.sole = true;
    await world.until(() => alone.leading);
    await store.delete(Lease, 'lock');
    await world.advance(2 * 60_000);
    expect([alone.leading, alone.terms]).toEqual([true, 2]);
    alone.stop.abort();
    await alone.ended;
  });
});

describe('the next leader', () => {
  it('gets the name and the last renewal of a leader that was killed, and nothing if that leader stopped regularly', async () => {
    const { world, store: shared } = stage();
    // No other process uses the store, so the previous holder of the lease has ended.
    const store = interpose(shared, (_call, happen) => happen(), { sole: true });
    const told: unknown[] = [];
    const begin = (processName: string) => {
      const stop = new AbortController();
      const led = Promise.withResolvers<undefined>();
      const running = runAsLeader(
        { store, world, telemetry: silentTelemetry(), name: 'l', processName },
        stop.signal,
        async (signal, predecessor) => {
          told.push(predecessor);
          led.resolve(undefined);
          await new Promise<void>((resolve) => {
            signal.addEventListener('abort', () => {
              resolve();
            });
          });
        },
      );
      return {
        led: led.promise,
        end: async () => {
          stop.abort();
          await world.settle();
          await running;
        },
      };
    };
    const first = begin('one');
    await first.led;
    await first.end();
    const second = begin('two');
    await second.led;
    const { renewTime } = (await store.get(Lease, 'l'))?.spec ?? {};
    const third = begin('three');
    await third.led;
    expect(told).toEqual([undefined, undefined, { processName: 'two', lastSeen: renewTime }]);
    await third.end();
    await second.end();
  });
});
