import { describe, expect, it } from 'vitest';

import { isProblem, Problem } from '../errors/index.ts';
import { isWrite, type StoreCall } from '../testing/index.ts';
import { bind } from './definition.ts';
import type { SagaEvent } from './report.ts';
import { createMachine, sampleDeps, sampleInput } from './sample.fixture.ts';
import { metric, openStage } from './stage.fixture.ts';

const clean = { entries: [{}], machines: [], announced: [] };

describe('a saga that succeeds', () => {
  it('resolves with what its steps returned and leaves no record', async () => {
    const stage = await openStage();
    const process = stage.startProcess('a');
    const { charge, announce } = await process.runner.run(process.create, sampleInput);
    expect([charge, announce]).toEqual([{ entry: 'ledger/m1' }, { address: 'm1.example' }]);
    expect(await stage.unfinished()).toEqual([]);
    expect(await metric(process, 'unikorn_saga_started_total', { saga: 'sample.machine.create' })).toBe(1);
    expect(await metric(process, 'unikorn_saga_finished_total', { outcome: 'done' })).toBe(1);
  });

  it('costs two writes, and one more for each value that a later step could need', async () => {
    const stage = await openStage();
    const writes: string[] = [];
    const around = <T>(call: StoreCall, happen: () => Promise<T>) => {
      if (isWrite(call) && call.kind.kind === 'Saga') writes.push(call.verb);
      return happen();
    };
    const process = stage.startProcess('a', { around });
    await process.runner.run(process.register, sampleInput);
    expect(writes.splice(0)).toEqual(['create', 'delete']);
    await process.runner.run(process.create, { ...sampleInput, machineId: 'm2' });
    expect(writes).toEqual(['create', 'updateStatus', 'delete']);
  });

  it('is done although the response to its last write was lost', async () => {
    const stage = await openStage();
    let lose = true;
    const process = stage.startProcess('a', {
      around: async (call, happen) => {
        const result = await happen();
        if (!lose || call.verb !== 'delete' || call.kind.kind !== 'Saga') return result;
        lose = false;
        throw new Problem('storage_unavailable', 'the answer was lost');
      },
    });
    const result = process.runner.run(process.register, sampleInput);
    await stage.world.advance(5_000);
    await expect(result).resolves.toEqual({});
    expect(await stage.unfinished()).toEqual([]);
  });

  it('reports the outcome of each step', async () => {
    const stage = await openStage();
    const events: SagaEvent[] = [];
    const process = stage.startProcess('a', { onEvent: (event) => events.push(event) });
    await process.runner.run(process.create, sampleInput);
    expect(events.map(({ step, happened }) => `${step} ${happened}`)).toEqual([
      'charge done',
      'store done',
      'announce done',
    ]);
    expect(events[0]).toMatchObject({ saga: 'sample.machine.create', input: sampleInput });
  });

  it('is not disturbed by a listener that throws', async () => {
    const stage = await openStage();
    const process = stage.startProcess('a', {
      onEvent: () => {
        throw new Error('a listener failed');
      },
    });
    await expect(process.runner.run(process.register, sampleInput)).resolves.toEqual({});
  });
});

describe('a saga that fails', () => {
  it('rejects with the unchanged error of the step, and leaves nothing behind', async () => {
    const stage = await openStage({ limit: 3 });
    const process = stage.startProcess('a');
    const error: unknown = await process.runner.run(process.create, sampleInput).catch((reason: unknown) => reason);
    expect(isProblem(error, 'quota_exceeded')).toBe(true);
    expect(await stage.state()).toEqual(clean);
    expect(await stage.unfinished()).toEqual([]);
  });

  it('undoes the failed step and then all before it, in reverse', async () => {
    const stage = await openStage();
    const events: string[] = [];
    const process = stage.startProcess('a', { onEvent: ({ step, happened }) => events.push(`${step} ${happened}`) });
    stage.remote.failures = 1;
    await expect(process.runner.run(process.create, sampleInput)).rejects.toThrow('connection reset');
    expect(events).toEqual([
      'charge done',
      'store done',
      'announce failed',
      'announce undone',
      'store undone',
      'charge undone',
    ]);
    expect(await stage.state()).toEqual(clean);
  });

  it('keeps the charge until the charged object is gone, however long that takes', async () => {
    const stage = await openStage();
    const process = stage.startProcess('a');
    stage.remote.failures = 4;
    await expect(process.runner.run(process.create, sampleInput)).rejects.toThrow('connection reset');
    expect(await stage.state()).toMatchObject({ entries: [{ m1: { cores: 4 } }], machines: [{ name: 'm1' }] });
    expect(await stage.unfinished()).toMatchObject([{ state: 'unwinding', step: 'announce', attempts: 1 }]);
    await stage.world.until(stage.isSettled);
    expect(await stage.state()).toEqual(clean);
    expect(await metric(process, 'unikorn_saga_undo_retries_total', { step: 'announce' })).toBe(3);
  });

  it('is shown as stuck while an undo keeps failing, with a public message, and ends once the undo works', async () => {
    const stage = await openStage();
    const process = stage.startProcess('a');
    process.start();
    stage.remote.failures = Infinity;
    await expect(process.runner.run(process.create, sampleInput)).rejects.toThrow('connection reset');
    const stuck = () => metric(process, 'unikorn_saga_stuck', { saga: 'sample.machine.create' });
    await stage.world.until(async () => (await stuck()) === 1);
    const [shown] = await process.runner.unfinished();
    expect(shown).toMatchObject({
      name: 'sample.machine.create',
      state: 'stuck',
      step: 'announce',
      message: 'an unexpected error occurred',
      holder: 'a',
    });
    expect(shown?.attempts).toBeGreaterThanOrEqual(5);
    await stage.world.advance(3600_000);
    stage.remote.failures = 0;
    await stage.world.advance(65_000);
    expect(await stage.unfinished()).toEqual([]);
    expect(await stage.state()).toEqual(clean);
    expect(await stuck()).toBe(0);
  });

  it('logs that an undo failed once, and its raw error when it is stuck', async () => {
    const stage = await openStage();
    const lines: string[] = [];
    const process = stage.startProcess('a', { lines });
    stage.remote.failures = Infinity;
    await expect(process.runner.run(process.create, sampleInput)).rejects.toThrow('connection reset');
    await stage.world.advance(3600_000);
    const said = lines.filter((line) => line.includes('an undo'));
    expect(said.map((line) => /"msg":"([^"]*)"/.exec(line)?.[1])).toEqual([
      'an undo failed and will be retried',
      'an undo keeps failing',
    ]);
    expect(
      said.map((line) => [/"level":(\d+)/.exec(line)?.[1], line.includes('connection reset by 10.0.0.7')]),
    ).toEqual([
      ['40', false],
      ['50', true],
    ]);
  });

  it('unwinds even if the store is unavailable for a while', async () => {
    const stage = await openStage();
    let away = false;
    const process = stage.startProcess('a', {
      around: (_call, happen) => (away ? Promise.reject(new Problem('storage_unavailable', 'away')) : happen()),
      onEvent: ({ step, happened }) => {
        if (step === 'announce' && happened === 'failed') away = true;
      },
    });
    stage.remote.failures = 1;
    const result = process.runner.run(process.create, sampleInput);
    await expect(result).rejects.toThrow('connection reset');
    await stage.world.advance(5_000);
    away = false;
    await stage.world.until(stage.isSettled);
    expect(await stage.state()).toEqual(clean);
  });
});

describe('a runner', () => {
  it('refuses an invalid input before anything is written', async () => {
    const stage = await openStage();
    const { runner, create } = stage.startProcess('a');
    const wrong = { machineId: 'm1', cores: 'four' } as unknown as typeof sampleInput;
    await expect(runner.run(create, wrong)).rejects.toMatchObject({ code: 'invalid_object' });
    expect(await stage.unfinished()).toEqual([]);
  });

  it('refuses a saga that it could not recover', async () => {
    const stage = await openStage();
    const { runner } = stage.startProcess('a');
    const unknown = bind(createMachine, sampleDeps(stage.store, stage.remote));
    await expect(runner.run(unknown, sampleInput)).rejects.toThrow('was not given to this runner');
  });

  it('lets one of many sagas with the same key win, and the others undo nothing of it', async () => {
    const stage = await openStage();
    const { runner, create } = stage.startProcess('a');
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => runner.run(create, sampleInput)));
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(reasons).toHaveLength(19);
    expect(reasons.every((reason) => isProblem(reason, 'conflict'))).toBe(true);
    expect(await stage.state()).toMatchObject({
      entries: [{ m1: { cores: 4 } }],
      machines: [{ name: 'm1' }],
      announced: [['m1', expect.any(String)]],
    });
    expect(await stage.unfinished()).toEqual([]);
  });

  it('waits for running sagas when it stops, and accepts no new ones', async () => {
    const stage = await openStage();
    const held = Promise.withResolvers<undefined>();
    const process = stage.startProcess('a', {
      around: async (call, happen) => (call.kind.kind === 'Machine' ? held.promise.then(happen) : happen()),
    });
    const result = process.runner.run(process.create, sampleInput);
    await stage.world.settle();
    const stopped = process.runner.stop();
    await expect(process.runner.run(process.register, sampleInput)).rejects.toThrow('shutting down');
    held.resolve(undefined);
    await expect(result).resolves.toBeDefined();
    await stopped;
  });

  it('leaves sagas that do not end in time to the next process, and does nothing more about them', async () => {
    const stage = await openStage();
    const held = Promise.withResolvers<undefined>();
    const process = stage.startProcess('a', {
      around: async (call, happen) => (call.kind.kind === 'Machine' ? held.promise.then(happen) : happen()),
    });
    const result = process.runner.run(process.create, sampleInput).catch((reason: unknown) => reason);
    await stage.world.settle();
    let stopped = false;
    void process.runner.stop().then(() => (stopped = true));
    await stage.world.until(() => stopped);
    held.resolve(undefined);
    expect(await result).toMatchObject({ code: 'conflict' });
    expect(stage.remote.announced.size).toBe(0);
    stage.startProcess('b').start();
    await stage.world.until(stage.isSettled);
    expect(await stage.state()).toEqual(clean);
  });

  it('does not wait for a retry when it stops', async () => {
    const stage = await openStage();
    const process = stage.startProcess('a');
    stage.remote.failures = Infinity;
    await expect(process.runner.run(process.create, sampleInput)).rejects.toThrow('connection reset');
    await process.runner.stop();
    expect(await stage.unfinished()).toHaveLength(1);
  });
});
