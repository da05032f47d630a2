import { describe, expect, it } from 'vitest';

import { Problem, StillInProgress } from '../errors/index.ts';
import { limits } from '../limits.ts';
import { openMemoryStore } from '../store/sqlite/index.ts';
import { interpose, virtualWorld, type Around } from '../testing/index.ts';
import type { VirtualWorld } from '../world/index.ts';
import { Holding, HoldLost } from './holding.ts';
import { Saga } from './kind.ts';

const straight: Around = (_call, happen) => happen();

async function hold({
  around = straight,
  world = virtualWorld(),
}: { readonly around?: Around; readonly world?: VirtualWorld } = {}) {
  const store = openMemoryStore({ world, kinds: [Saga] });
  const holding = await Holding.begin(
    { store: interpose(store, around), world },
    'sample.thing.do',
    {},
    { holder: 'a' },
  );
  const takeOver = async () => {
    const record = await store.get(Saga, holding.id);
    return record && Holding.takeOver({ store, world }, record, 'b');
  };
  return { world, store, holding, takeOver };
}

describe('two runs with the same id', () => {
  it('are refused while the first one is unfinished', async () => {
    const { store, world, holding } = await hold();
    const again = () => Holding.begin({ store, world }, 'sample.thing.do', {}, { holder: 'b', id: holding.id });
    await expect(again()).rejects.toBeInstanceOf(StillInProgress);
    await holding.end();
    expect((await again()).id).toBe(holding.id);
  });

  it('a process that stood still does not take the later run for its own', async () => {
    const { store, world, holding } = await hold();
    await store.delete(Saga, holding.id);
    const later = await Holding.begin({ store, world }, 'sample.thing.do', {}, { holder: 'b', id: holding.id });
    await expect(holding.update((status) => ({ ...status, error: 'late' }))).rejects.toBeInstanceOf(HoldLost);
    expect((await store.get(Saga, later.id))?.status?.error).toBeUndefined();
  });
});

/** Writes that take effect, but whose response is lost. */
function losing(verb: string, answer: Problem): { around: Around; lost: () => number } {
  let lost = 0;
  const around: Around = async (call, happen) => {
    const result = await happen();
    if (call.verb !== verb || lost > 0) return result;
    lost += 1;
    throw answer;
  };
  return { around, lost: () => lost };
}

describe('a holding', () => {
  it('cannot end a saga that another process has taken', async () => {
    const { store, holding, takeOver } = await hold();
    await takeOver();
    await expect(holding.end()).rejects.toThrow(HoldLost);
    expect((await store.get(Saga, holding.id))?.spec).toMatchObject({ holder: 'b', term: 2 });
  });

  it('cannot write to a saga that another process has taken, and does nothing more after that', async () => {
    const { store, holding, takeOver } = await hold();
    await takeOver();
    await expect(holding.update((status) => ({ ...status, phase: 'unwinding' }))).rejects.toThrow(HoldLost);
    await expect(holding.ensure()).rejects.toThrow(HoldLost);
    expect((await store.get(Saga, holding.id))?.status).toBeUndefined();
  });

  it('is taken by one of several concurrent processes', async () => {
    const { takeOver } = await hold();
    const taken = await Promise.all([takeOver(), takeOver(), takeOver()]);
    expect(taken.filter((other) => other !== undefined)).toHaveLength(1);
  });

  it('continues after its own write whose response was lost', async () => {
    const { around, lost } = losing('updateStatus', new Problem('storage_unavailable', 'the answer was lost'));
    const { store, holding } = await hold({ around });
    await expect(holding.update((status) => ({ ...status, outputs: { first: 1 } }))).rejects.toThrow(
      'the answer was lost',
    );
    await holding.update((status) => ({ ...status, failedStep: 'second' }));
    expect(lost()).toBe(1);
    expect((await store.get(Saga, holding.id))?.status).toEqual({ outputs: { first: 1 }, failedStep: 'second' });
  });

  it('writes one thing at a time', async () => {
    const writes: string[] = [];
    const { holding, store } = await hold({
      around: async (call, happen) => {
        writes.push(call.verb);
        return happen();
      },
    });
    await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        holding.update((status) => ({ ...status, outputs: { ...status.outputs, [name]: 1 } })),
      ),
    );
    expect(writes).toEqual(['create', 'updateStatus', 'updateStatus', 'updateStatus']);
    expect((await store.get(Saga, holding.id))?.status).toEqual({ outputs: { a: 1, b: 1, c: 1 } });
  });

  it('counts its lease from the time of the request, however late the response comes', async () => {
    const writes: string[] = [];
    let answer_ms = 0;
    const world = virtualWorld();
    const { holding } = await hold({
      world,
      around: async (call, happen) => {
        writes.push(call.verb);
        if (writes.length > 2) throw new Problem('storage_unavailable', 'cut off');
        const result = await happen();
        if (answer_ms > 0) await world.sleep(answer_ms);
        return result;
      },
    });
    answer_ms = limits.lease_ms / 2;
    const updated = holding.update((status) => ({ ...status, outputs: { first: 1 } }));
    await world.advance(answer_ms);
    await updated;
    await holding.ensure();
    await world.advance(limits.lease_ms / 4);
    await expect(holding.ensure()).rejects.toThrow('cut off');
  });

  it.each(['begins', 'takes over'])('counts its lease from the time of the request, also when it %s', async (how) => {
    const world = virtualWorld();
    const inner = openMemoryStore({ world, kinds: [Saga] });
    const left = await Holding.begin({ store: inner, world }, 'sample.thing.do', {}, { holder: 'gone' });
    left.release();
    let writes = 0;
    const store = interpose(inner, async (call, happen) => {
      if (call.verb !== 'get' && ++writes > 1) throw new Problem('storage_unavailable', 'cut off');
      const result = await happen();
      await world.sleep(limits.lease_ms / 2);
      return result;
    });
    const asked =
      how === 'begins'
        ? Holding.begin({ store, world }, 'sample.thing.do', {}, { holder: 'a' })
        : Holding.takeOver({ store, world }, left.record, 'a');
    await world.advance(limits.lease_ms / 2);
    const holding = await asked;
    await holding?.ensure();
    await world.advance(limits.lease_ms / 4);
    await expect(holding?.ensure()).rejects.toThrow('cut off');
  });

  it('has ended when its record is found gone in time, because only its own write can have done that', async () => {
    const { around } = losing('delete', new Problem('not_found', 'gone already'));
    const { holding } = await hold({ around });
    await expect(holding.end()).resolves.toBeUndefined();
  });

  it('does not claim to have ended a saga whose record was gone when it came back late', async () => {
    const { world, store, holding } = await hold();
    await store.delete(Saga, holding.id);
    await world.advance(limits.lease_ms * 2);
    await expect(holding.end()).rejects.toThrow(HoldLost);
  });
});
