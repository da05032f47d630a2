import { describe, expect, it } from 'vitest';

import { Problem } from '../errors/index.ts';
import { limits } from '../limits.ts';
import type { Around, StoreCall } from '../testing/index.ts';
import { Saga } from './kind.ts';
import { Ledger, Machine, sampleInput } from './sample.fixture.ts';
import { openStage } from './stage.fixture.ts';

type Stage = Awaited<ReturnType<typeof openStage>>;

const slow_ms = 2_000;
const isRecordOf = ({ kind, verb }: StoreCall, wanted: StoreCall['verb']) => kind === Saga && verb === wanted;

/** Writes of this sort take a while to arrive. */
function slowly(
  stage: Stage,
  wanted: StoreCall['verb'],
  seen: (call: StoreCall) => Promise<void> = () => Promise.resolve(),
): Around {
  return async (call, happen) => {
    if (isRecordOf(call, wanted)) await stage.world.sleep(slow_ms);
    await seen(call);
    return happen();
  };
}

describe('a saga whose record is written slowly', () => {
  it('does not use the output of a step before it is recorded', async () => {
    const stage = await openStage();
    const recorded: unknown[] = [];
    const around = slowly(stage, 'updateStatus', async ({ kind, verb }) => {
      if (kind === Machine && verb === 'create')
        recorded.push((await stage.store.list(Saga)).items[0]?.status?.outputs);
    });
    const { runner, create } = stage.startProcess('a', { around });
    const result = runner.run(create, sampleInput);
    await stage.world.advance(10 * slow_ms);
    await result;
    expect(recorded).toEqual([{ charge: { entry: 'ledger/m1' } }]);
  });

  it('undoes nothing before the failure is recorded', async () => {
    const stage = await openStage();
    const recorded: unknown[] = [];
    const around = slowly(stage, 'updateStatus', async ({ kind, verb }) => {
      if (kind === Machine && verb === 'delete')
        recorded.push((await stage.store.list(Saga)).items[0]?.status?.failedStep);
    });
    const { runner, create } = stage.startProcess('a', { around });
    stage.remote.failures = 1;
    const result = expect(runner.run(create, sampleInput)).rejects.toThrow('connection reset');
    await stage.world.advance(20 * slow_ms);
    await result;
    expect(recorded).toEqual(['announce']);
  });

  it.each(['fails', 'works'])(
    'that %s is over for whoever waits once its record is gone, and not before',
    async (course) => {
      const stage = await openStage();
      const { runner, create } = stage.startProcess('a', { around: slowly(stage, 'delete') });
      stage.remote.failures = course === 'fails' ? 1 : 0;
      const left = runner.run(create, sampleInput).then(stage.unfinished, stage.unfinished);
      await stage.world.advance(20 * slow_ms);
      expect(await left).toEqual([]);
    },
  );
});

describe('a saga that was taken over in the middle of an undo', () => {
  it('does no further undo in the first process', async () => {
    const stage = await openStage();
    const touched: string[] = [];
    let cutOff = false;
    const around: Around = (call, happen) => {
      if (cutOff && call.kind === Saga) return Promise.reject(new Problem('storage_unavailable', 'cut off'));
      if (call.kind === Machine || call.kind === Ledger) touched.push(`${call.verb} ${call.kind.kind}`);
      return happen();
    };
    const first = stage.startProcess('first', { around, sole: false });
    const withdraw = stage.remote.withdraw.bind(stage.remote);
    stage.remote.withdraw = async (...what) => {
      stage.remote.withdraw = withdraw;
      cutOff = true;
      await stage.world.sleep(10 * limits.lease_ms);
      await withdraw(...what);
    };
    stage.remote.failures = 1;
    const result = expect(first.runner.run(first.create, sampleInput)).rejects.toThrow();
    await stage.world.settle();
    stage.startProcess('second', { sole: false }).start();
    await stage.world.until(stage.isSettled);
    cutOff = false;
    touched.length = 0;
    await stage.world.advance(20 * limits.lease_ms);
    await result;
    expect(touched).toEqual([]);
  });
});
