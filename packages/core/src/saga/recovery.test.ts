import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { limits } from '../limits.ts';
import { Life, type Around } from '../testing/index.ts';
import { bind, defineSaga } from './definition.ts';
import { Saga, sagaLabel } from './kind.ts';
import { MachineInput, sampleInput, sampleState, type Remote } from './sample.fixture.ts';
import { metric, openStage } from './stage.fixture.ts';

const clean = { entries: [{}], machines: [], announced: [] };
const done = {
  entries: [{ m1: { cores: 4 } }],
  machines: [{ name: 'm1' }],
  announced: [['m1', expect.any(String) as string]],
};

type Stage = Awaited<ReturnType<typeof openStage>>;

/** A process that does every step and dies before it can record that it has. */
async function leaveUnfinished(stage: Stage, saga: 'create' | 'register', { sole = true } = {}): Promise<void> {
  const process = stage.startProcess('dead', {
    sole,
    around: (call, happen) =>
      call.verb === 'delete' || stage.remote.announced.size > 0 ? new Promise<never>(() => undefined) : happen(),
  });
  void process.runner.run(process[saga], sampleInput);
  await stage.world.settle();
  expect(await stage.state()).toMatchObject(done);
  expect(await stage.unfinished()).toMatchObject([{ state: 'running', holder: 'dead' }]);
}

async function storeRecord(stage: Stage, saga: string, outputs?: Readonly<Record<string, unknown>>): Promise<void> {
  const { metadata } = await stage.store.create(Saga, {
    metadata: { name: 'left', labels: { [sagaLabel]: saga } },
    spec: { saga, input: sampleInput, holder: 'dead', term: 1 },
  });
  if (outputs) await stage.store.updateStatus(Saga, { metadata, status: { outputs } });
}

describe('a process that stops', () => {
  it('waits for a takeover in progress, and for the sagas that it took over', async () => {
    const stage = await openStage();
    await leaveUnfinished(stage, 'create');
    const slow_ms = limits.drain_ms / 10;
    const next = stage.startProcess('next', {
      around: async (call, happen) => {
        if (call.kind === Saga && call.verb === 'update') await stage.world.sleep(slow_ms);
        return happen();
      },
    });
    next.start();
    await stage.world.settle();
    const left = next.runner.stop().then(stage.unfinished);
    await stage.world.advance(2 * slow_ms);
    expect(await left).toEqual([]);
    expect(await stage.state()).toEqual(clean);
  });
});

describe('a saga whose process died', () => {
  it('is unwound by the next process, at once if no other process can hold it', async () => {
    const stage = await openStage();
    await leaveUnfinished(stage, 'create');
    const next = stage.startProcess('next');
    next.start();
    await stage.world.settle();
    expect(await stage.unfinished()).toEqual([]);
    expect(await stage.state()).toEqual(clean);
    expect(await metric(next, 'unikorn_saga_recovered_total', { action: 'unwind' })).toBe(1);
  });

  it('is finished instead if the saga declares it', async () => {
    const stage = await openStage();
    await leaveUnfinished(stage, 'register');
    const next = stage.startProcess('next');
    next.start();
    await stage.world.settle();
    expect(await stage.unfinished()).toEqual([]);
    expect(await stage.state()).toMatchObject(done);
    expect(await metric(next, 'unikorn_saga_recovered_total', { action: 'forward' })).toBe(1);
  });

  it('is not touched for a whole lease if its process may still live', async () => {
    const stage = await openStage();
    await leaveUnfinished(stage, 'create', { sole: false });
    stage.startProcess('next', { sole: false }).start();
    await stage.world.advance(limits.lease_ms - 1);
    expect(await stage.unfinished()).toMatchObject([{ holder: 'dead' }]);
    await stage.world.advance(limits.lease_ms);
    expect(await stage.unfinished()).toEqual([]);
    expect(await stage.state()).toEqual(clean);
  });

  it('is recovered once, however many processes try it', async () => {
    const stage = await openStage();
    await leaveUnfinished(stage, 'create', { sole: false });
    const undone: string[] = [];
    const racers = ['b', 'c', 'd'].map((identity) =>
      stage.startProcess(identity, { sole: false, onEvent: ({ step }) => undone.push(step) }),
    );
    for (const racer of racers) racer.start();
    await stage.world.until(stage.isSettled);
    await stage.world.advance(10 * limits.lease_ms);
    expect(undone).toEqual(['announce', 'store', 'charge']);
    const recoveries = await Promise.all(racers.map((racer) => metric(racer, 'unikorn_saga_recovered_total')));
    expect(recoveries.reduce((sum, count) => sum + count)).toBe(1);
  });

  it('goes on counting the attempts of an undo that kept failing', async () => {
    const stage = await openStage();
    const process = stage.startProcess('a');
    stage.remote.failures = Infinity;
    await expect(process.runner.run(process.create, sampleInput)).rejects.toThrow();
    await stage.world.until(async () => (await stage.unfinished())[0]?.state === 'stuck');
    await process.runner.stop();
    stage.startProcess('b').start();
    await stage.world.settle();
    expect(await stage.unfinished()).toMatchObject([{ state: 'stuck', attempts: 6, holder: 'b' }]);
  });
});

describe('a running saga', () => {
  it('is not taken over by its own process, however long its record stays unchanged', async () => {
    const stage = await openStage();
    const slow = Promise.withResolvers<undefined>();
    let down = true;
    const own = stage.startProcess('a', {
      around: (call, happen) => {
        if (down && call.kind === Saga && call.verb === 'updateStatus')
          return Promise.reject(new Error('the store is down'));
        return call.kind.kind === 'Machine' ? slow.promise.then(happen) : happen();
      },
    });
    own.start();
    // Its first step returns something, which is recorded before the second step, so the record must be writable then.
    down = false;
    const result = own.runner.run(own.create, sampleInput);
    await stage.world.settle();
    down = true;
    await stage.world.advance(3 * limits.lease_ms);
    down = false;
    slow.resolve(undefined);
    await stage.world.advance(limits.lease_ms);
    await expect(result).resolves.toBeDefined();
    expect(await metric(own, 'unikorn_saga_recovered_total')).toBe(0);
  });

  it('is not taken from a holder that is merely slow', async () => {
    const stage = await openStage();
    const slow = Promise.withResolvers<undefined>();
    const holder = stage.startProcess('a', {
      sole: false,
      around: async (call, happen) => (call.kind.kind === 'Machine' ? slow.promise.then(happen) : happen()),
    });
    const other = stage.startProcess('b', { sole: false });
    other.start();
    const result = holder.runner.run(holder.create, sampleInput);
    await stage.world.advance(3600_000);
    slow.resolve(undefined);
    await expect(result).resolves.toBeDefined();
    expect(await metric(other, 'unikorn_saga_recovered_total')).toBe(0);
  });

  it.each([
    { stoodAt: 'Saga', meanwhile: 'ended' },
    { stoodAt: 'Ledger', meanwhile: 'ended' },
    { stoodAt: 'Saga', meanwhile: 'stuck' },
    { stoodAt: 'Ledger', meanwhile: 'stuck' },
  ])(
    'is not continued by a holder that stood still past its lease, at the answer of a write to $stoodAt; meanwhile it has $meanwhile elsewhere',
    async ({ stoodAt, meanwhile }) => {
      const stage = await openStage();
      const still = Promise.withResolvers<undefined>();
      let standing = false;
      const events: string[] = [];
      const holder = stage.startProcess('paused', {
        sole: false,
        around: async (call, happen) => {
          if (standing) await still.promise;
          const result = await happen();
          if (call.kind.kind === stoodAt && (call.verb === 'update' || call.verb === 'updateStatus')) standing = true;
          if (standing) await still.promise;
          return result;
        },
        onEvent: ({ step, happened }) => events.push(`${step} ${happened}`),
      });
      const result = holder.runner.run(holder.create, sampleInput).catch((reason: unknown) => reason);
      await stage.world.settle();
      // If the first step is not recorded, only that step is undone. So the ledger has to fail then.
      const ledgerAway: Around = (call, happen) =>
        meanwhile === 'stuck' && call.kind.kind === 'Ledger' ? Promise.reject(new Error('away')) : happen();
      stage.startProcess('b', { sole: false, around: ledgerAway }).start();
      await stage.world.until(async () => (await stage.unfinished()).every(({ state }) => state === 'stuck'));
      still.resolve(undefined);
      expect(await result).toMatchObject({ code: 'conflict' });
      expect(events).toEqual(['charge done']);
      expect(await stage.unfinished()).toMatchObject(meanwhile === 'stuck' ? [{ holder: 'b', state: 'stuck' }] : []);
      expect(await stage.state()).toMatchObject({ machines: [], announced: [] });
    },
  );
});

describe('a saga that this release does not know', () => {
  const shelfSaga = (name: string) =>
    defineSaga({
      name: `shelf.machine.${name}`,
      input: MachineInput,
      onCrash: 'resume',
      steps: (table, remote: Remote) =>
        table.step({
          name: 'announce',
          do: ({ input, sagaId }) => remote.announce(input.machineId, sagaId),
          undo: ({ input, sagaId }) => remote.withdraw(input.machineId, sagaId),
        }),
    });

  it('is kept and shown as stuck, and recovered by a release that knows it', async () => {
    const stage = await openStage();
    await storeRecord(stage, 'shelf.machine.fill');
    const older = stage.startProcess('older', { sagas: () => [bind(shelfSaga('empty'), stage.remote)] });
    older.start();
    await stage.world.advance(3600_000);
    expect(await older.runner.unfinished()).toMatchObject([
      { state: 'stuck', message: 'no saga of this name exists in this release' },
    ]);
    expect(await metric(older, 'unikorn_saga_stuck', { saga: 'shelf.machine.fill' })).toBe(1);
    await older.runner.stop();

    stage.startProcess('newer', { sagas: () => [bind(shelfSaga('fill'), stage.remote)] }).start();
    await stage.world.settle();
    expect(await stage.unfinished()).toEqual([]);
    expect([...stage.remote.announced]).toEqual([['m1', 'left']]);
  });

  it('is kept and shown as stuck when only its steps are unknown', async () => {
    const stage = await openStage();
    await storeRecord(stage, 'sample.machine.create', { chargeTwice: {} });
    stage.startProcess('next').start();
    await stage.world.settle();
    expect(await stage.unfinished()).toMatchObject([
      { state: 'stuck', message: 'the steps it recorded are not those of this release' },
    ]);
  });

  it('is not touched when it belongs to another service', async () => {
    const stage = await openStage();
    await storeRecord(stage, 'other.machine.create');
    const next = stage.startProcess('next');
    next.start();
    await stage.world.advance(3600_000);
    expect(await stage.unfinished()).toMatchObject([{ state: 'running', holder: 'dead' }]);
    expect(await next.runner.unfinished()).toEqual([]);
  });
});

describe('many sagas, failures and deaths', () => {
  const requests = fc.array(
    fc.record({
      machineId: fc.constantFrom('m1', 'm2', 'm3'),
      saga: fc.constantFrom('create' as const, 'register' as const),
    }),
    { minLength: 1, maxLength: 5 },
  );
  const life = fc.record({
    requests,
    death: fc.integer({ min: 1, max: 80 }),
    failures: fc.integer({ min: 0, max: 6 }),
  });

  it('leave every machine charged, stored and announced by one saga, or not at all, and never lose an accepted one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(life, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 1000 }),
        async (lives, seed) => {
          const stage = await openStage({ seed, limit: 8 });
          const promised = new Set<string>();
          for (const [index, { requests: asked, death, failures }] of lives.entries()) {
            const mortal = new Life(stage.store, death);
            const process = stage.startProcess(`life ${index}`, { life: mortal });
            stage.remote.failures = failures;
            process.start();
            for (const { machineId, saga } of asked) {
              void process.runner.run(process[saga], { machineId, cores: 4 }).then(
                () => promised.add(machineId),
                () => undefined,
              );
            }
            await stage.world.settle();
            await stage.world.until(async () => mortal.died || (await stage.isSettled()));
            if (!mortal.died) mortal.die();
          }
          stage.startProcess('last').start();
          await stage.world.until(stage.isSettled);
          await expectConsistent(stage, promised);
          await stage.store.close();
        },
      ),
      { numRuns: 60 },
    );
  });
});

interface State {
  readonly entries: readonly Readonly<Record<string, { readonly cores: number; readonly saga: string }>>[];
  readonly machines: readonly { readonly name: string; readonly annotations: Readonly<Record<string, string>> }[];
  readonly announced: readonly (readonly [string, string])[];
}

async function expectConsistent(stage: Stage, promised: ReadonlySet<string>): Promise<void> {
  const { entries, machines, announced } = (await sampleState(stage.store, stage.remote)) as State;
  const paid = Object.entries(entries[0] ?? {}).map(([name, { saga }]) => [name, saga]);
  expect(machines.map(({ name, annotations }) => [name, Object.values(annotations)[0]])).toEqual(paid.toSorted());
  expect(announced.toSorted()).toEqual(paid.toSorted());
  expect([...promised].filter((name) => !paid.some(([machine]) => machine === name))).toEqual([]);
}
