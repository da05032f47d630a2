import { expect, it } from 'vitest';

import { whenAborted } from '../controller/abort.ts';
import { stage, Widget } from '../controller/controller.fixture.ts';
import { limits } from '../limits.ts';
import type { Part, PartName } from './part.ts';
import { runParts } from './run.ts';

function scene() {
  const { world, caches, store } = stage();
  const told: string[] = [];
  /** A part that takes a while to stop. */
  const part = (name: PartName, needs: readonly PartName[], stop_ms = 0): Part => ({
    name,
    needs,
    ready: true,
    run: async (signal) => {
      await whenAborted(signal);
      told.push(`${name} stops`);
      await world.sleep(stop_ms);
      told.push(`${name} ended`);
    },
  });
  const stop = new AbortController();
  const run = (parts: readonly Part[]) => {
    const outcome = { yet: 'running' };
    runParts({ world, caches }, parts, stop.signal).then(
      () => (outcome.yet = 'ended'),
      (thrown: unknown) => (outcome.yet = String(thrown)),
    );
    return outcome;
  };
  return { world, caches, store, told, part, stop, run };
}

it('a part stops after those that need it, and independent parts stop at the same time', async () => {
  const { world, told, part, stop, run } = scene();
  const outcome = run([
    part('identity/api', []),
    part('region/api', ['identity/api']),
    part('region/monitor', [], 2_000),
    part('compute/instance-controller', ['region/api', 'elsewhere/api'], 1_000),
  ]);
  await world.settle();
  expect(told).toEqual([]);
  stop.abort();
  await world.until(() => outcome.yet === 'ended');
  expect(told).toEqual([
    'region/monitor stops',
    'compute/instance-controller stops',
    'compute/instance-controller ended',
    'region/api stops',
    'region/api ended',
    'identity/api stops',
    'identity/api ended',
    'region/monitor ended',
  ]);
});

it('a part does not wait longer for those that need it than running work is waited for', async () => {
  const { world, told, part, stop, run } = scene();
  const outcome = run([part('identity/api', []), part('region/api', ['identity/api'], 10 * limits.drain_ms)]);
  stop.abort();
  await world.advance(limits.drain_ms);
  expect(told).toEqual(['region/api stops', 'identity/api stops', 'identity/api ended']);
  expect(outcome.yet).toBe('running');
  await world.advance(10 * limits.drain_ms);
  expect(outcome.yet).toBe('ended');
});

it('when one part fails, all stop, and the failure is thrown', async () => {
  const { world, told, part, run } = scene();
  const failing: Part = { ...part('test/failing', []), run: () => Promise.reject(new Error('no such key')) };
  const outcome = run([part('identity/api', []), failing]);
  await world.until(() => outcome.yet !== 'running');
  expect([outcome.yet, told]).toEqual(['Error: no such key', ['identity/api stops', 'identity/api ended']]);
});

it('caches are kept current until the last part has ended', async () => {
  const { world, caches, part, stop, run } = scene();
  let synced: boolean | undefined;
  const late: Part = {
    ...part('test/late', []),
    run: async (signal) => {
      await whenAborted(signal);
      const own = caches.scope();
      own.of(Widget);
      await own.whenSynced();
      synced = own.synced;
    },
  };
  const outcome = run([late]);
  await world.settle();
  stop.abort();
  await world.until(() => outcome.yet === 'ended');
  expect(synced).toBe(true);
});

it('two parts with the same name are refused', async () => {
  const { world, part, run } = scene();
  const outcome = run([part('test/twin', []), part('test/twin', [])]);
  await world.settle();
  expect(outcome.yet).toBe('Error: two parts of one process have the same name');
});
