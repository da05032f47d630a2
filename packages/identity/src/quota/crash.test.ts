import { describe, expect, it } from 'vitest';

import { Problem } from '@unikorn/core/errors';
import { isWrite, interpose, Life } from '@unikorn/core/testing';

import { Allocation, allocationIdOf, QuotaLedger } from '../kinds/quota.ts';
import { waits } from '../limits.ts';
import { used, amountOf } from './amounts.ts';
import { chargeFor, organizationId, outcomeOf, servers, stage } from './ledger.fixture.ts';
import type { Ledger } from './ledger.ts';

type Stage = Awaited<ReturnType<typeof stage>>;

interface Scenario {
  readonly name: string;
  readonly before: number;
  readonly after: number;
  readonly change: (ledger: Ledger) => Promise<unknown>;
}

const id = allocationIdOf(organizationId, chargeFor('i').resource);

const scenarios: readonly Scenario[] = [
  { name: 'a first charge', before: 0, after: 6, change: (ledger) => ledger.charge(chargeFor('i', servers(6))) },
  { name: 'a greater charge', before: 2, after: 6, change: (ledger) => ledger.charge(chargeFor('i', servers(6))) },
  { name: 'a smaller charge', before: 6, after: 2, change: (ledger) => ledger.charge(chargeFor('i', servers(2))) },
  { name: 'a release', before: 6, after: 0, change: (ledger) => ledger.release(organizationId, id) },
];

async function prepared({ before }: Scenario): Promise<Stage> {
  const scene = await stage();
  if (before > 0) await scene.process('first').charge(chargeFor('i', servers(before)));
  await scene.process('first').charge(chargeFor('bystander', servers(1)));
  await scene.world.settle();
  return scene;
}

/** The number of points at which the process of the change can die. */
async function cutsOf(scenario: Scenario): Promise<number> {
  const scene = await prepared(scenario);
  const life = new Life(scene.shared);
  await scenario.change(scene.process('whole', life.store));
  await scene.world.settle();
  return life.cuts;
}

async function dieAt(scene: Stage, { change }: Scenario, death: number): Promise<Life> {
  const life = new Life(scene.shared, death);
  void change(scene.process('dying', life.store));
  await scene.world.settle();
  expect(life.died).toBe(true);
  return life;
}

async function expectConsistent(scene: Stage, ...wanted: readonly number[]): Promise<void> {
  const books = await scene.books();
  expect(books?.pending).toEqual([]);
  expect(books?.totals).toEqual(await scene.allocated());
  expect(wanted.map((committed) => committed + 1)).toContain(used(amountOf(books?.totals ?? {}, 'servers')));
}

describe.each(scenarios)('$name whose process dies between any two of its effects', (scenario) => {
  it('is done once when it is repeated', async () => {
    const cuts = await cutsOf(scenario);
    expect(cuts).toBeGreaterThanOrEqual(6);
    for (let death = 1; death <= cuts; death++) {
      const scene = await prepared(scenario);
      await dieAt(scene, scenario, death);
      const again = scenario.change(scene.process('second'));
      await scene.world.advance(waits.quotaChange_ms + 1_000);
      await again;
      await scene.process('second').settle(organizationId);
      await expectConsistent(scene, scenario.after);
    }
  });

  it('is either done or undone after its lease, and never counts less than its allocation', async () => {
    const cuts = await cutsOf(scenario);
    for (let death = 1; death <= cuts; death++) {
      const scene = await prepared(scenario);
      await dieAt(scene, scenario, death);
      const second = scene.process('second');
      await second.settle(organizationId);
      const inFlight = used(amountOf((await scene.books())?.totals ?? {}, 'servers'));
      expect(inFlight).toBeGreaterThanOrEqual(used(amountOf(await scene.allocated(), 'servers')));
      await scene.world.advance(waits.quotaChange_ms);
      await second.settle(organizationId);
      await expectConsistent(scene, scenario.before, scenario.after);
    }
  });

  it('is settled immediately if one process owns the state', async () => {
    const cuts = await cutsOf(scenario);
    for (let death = 1; death <= cuts; death++) {
      const scene = await prepared(scenario);
      await dieAt(scene, scenario, death);
      await scenario.change(scene.process('restarted', scene.store));
      await scene.process('restarted', scene.store).settle(organizationId);
      await expectConsistent(scene, scenario.after);
    }
  });
});

describe('a process that is stuck but alive', () => {
  /** A store whose next write of an allocation waits until it is released. */
  function stalling({ shared }: Stage) {
    const gate = Promise.withResolvers<undefined>();
    const store = interpose(shared, async (call, happen) => {
      if (call.kind.id === Allocation.id && isWrite(call)) await gate.promise;
      return happen();
    });
    return {
      store,
      letGo: () => {
        gate.resolve(undefined);
      },
    };
  }

  it.each(scenarios)('does no harm if its write of $name comes after it was settled', async (scenario) => {
    const scene = await prepared(scenario);
    const { store, letGo } = stalling(scene);
    const stuck = outcomeOf(scenario.change(scene.process('stuck', store)));
    await scene.world.advance(waits.quotaChange_ms);
    await scene.process('second').settle(organizationId);
    await expectConsistent(scene, scenario.before);
    letGo();
    await scene.world.advance(waits.quotaChange_ms);
    await stuck;
    await expectConsistent(scene, scenario.before, scenario.after);
  });

  it('has its late charge undone after it was settled, and gets an error', async () => {
    const [scenario] = scenarios;
    if (!scenario) throw new Error('there is no scenario');
    const scene = await prepared(scenario);
    const { store, letGo } = stalling(scene);
    const stuck = outcomeOf(scenario.change(scene.process('stuck', store)));
    await scene.world.advance(waits.quotaChange_ms);
    await scene.process('second').settle(organizationId);
    letGo();
    await scene.world.settle();
    expect(await stuck).toBe('server_error');
    await expectConsistent(scene, 0);
  });
});

describe('a process that cannot write the ledger for a while', () => {
  it.each(scenarios)('ends its change of $name as soon as it can, long before its lease is over', async (scenario) => {
    const scene = await prepared(scenario);
    let writes = 0;
    let isAway = true;
    // The first write of the ledger opens the change. The others end it.
    const store = interpose(scene.shared, (call, happen) =>
      call.kind.id === QuotaLedger.id && isWrite(call) && ++writes > 1 && isAway
        ? Promise.reject(new Problem('storage_unavailable', 'the API server does not answer'))
        : happen(),
    );
    const changing = scenario.change(scene.process('cut off', store));
    await scene.world.settle();
    await changing;
    expect((await scene.books())?.pending).toHaveLength(1);
    await scene.world.advance(5_000);
    isAway = false;
    await scene.world.advance(waits.quotaChange_ms / 4);
    await expectConsistent(scene, scenario.after);
  });
});

describe('unfinished changes of dead processes', () => {
  it('of a release after another one release nothing twice', async () => {
    for (let death = 1; death <= 6; death++) {
      const scene = await stage();
      await scene.process('one').charge(chargeFor('i', servers(4)));
      await scene.process('one').charge(chargeFor('bystander', servers(5)));
      await scene.world.settle();
      const gate = Promise.withResolvers<undefined>();
      let looks = 0;
      const life = new Life(scene.shared, death);
      const stalling = interpose(life.store, async (call, happen) => {
        const result = await happen();
        if (call.kind.id === Allocation.id && call.verb === 'get' && ++looks === 1) await gate.promise;
        return result;
      });
      void scene.process('late', stalling).release(organizationId, id);
      await scene.world.settle();
      await scene.process('one').release(organizationId, id);
      gate.resolve(undefined);
      await scene.world.advance(waits.quotaChange_ms);
      await scene.process('one').settle(organizationId);
      expect(await scene.books()).toEqual({ totals: { servers: { committed: 5, reserved: 0 } }, pending: [] });
    }
  });

  it('do not block free quota', async () => {
    const scene = await stage();
    const life = new Life(scene.shared, 5);
    void scene.process('dying', life.store).charge(chargeFor('i', servers(10)));
    await scene.world.settle();
    expect(life.diedAt).toBe('before create Allocation');
    expect(await outcomeOf(scene.process('second').charge(chargeFor('j', servers(1))))).toBe('quota_exceeded');
    await scene.world.advance(waits.quotaChange_ms);
    expect(await outcomeOf(scene.process('second').charge(chargeFor('j', servers(1))))).toBe('fine');
  });

  it('totals that do not match the allocations are corrected', async () => {
    const scene = await stage();
    const ledger = scene.process('one');
    await ledger.charge(chargeFor('i', servers(2)));
    await scene.world.settle();
    await scene.store.delete(Allocation, id);
    await ledger.recount(organizationId);
    expect(await scene.books()).toEqual({ totals: {}, pending: [] });
    expect((await scene.store.get(QuotaLedger, organizationId))?.metadata.generation).toBe(1);
  });
});
