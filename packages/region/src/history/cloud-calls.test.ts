import { describe, expect, it, onTestFinished } from 'vitest';

import type { Draft } from '@unikorn/core/kinds';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry, virtualWorld } from '@unikorn/core/testing';

import { Network, regionKinds } from '../kinds/index.ts';
import { specimen } from '../kinds/specimens.fixture.ts';
import { limits, waits } from '../limits.ts';
import { ProviderFailure, type CloudChange, type CloudProvider } from '../provider/index.ts';
import { simulatedKinds, simulatedProvider } from '../providers/simulated/index.ts';
import { cloudWith } from '../regions/delegate.ts';
import { withCallsTold } from '../regions/told-calls.ts';
import { cloudCallRecorder } from './cloud-calls.ts';
import { regionHistories } from './histories.ts';

async function stage() {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: [...new Set([...regionKinds, ...simulatedKinds])] });
  onTestFinished(() => store.close());
  const histories = regionHistories({ store, world, telemetry: silentTelemetry() });
  const cloud = simulatedProvider({ store, world, regionId: 'r' });
  let failure: Error | undefined;
  let changes: readonly CloudChange[] = [];
  const failing = cloudWith(cloud, {
    networks: {
      ensure: () => Promise.reject(failure ?? new Error('unexpected')),
      observe: () => Promise.resolve({ state: 'absent' }),
      list: () => Promise.resolve([]),
      remove: () => Promise.resolve({ state: 'absent' }),
    },
  });
  const offer = withCallsTold(
    {
      tier: 'cloud',
      provider: failing,
      noting: (note, work) => {
        for (const change of changes) note(change);
        return work();
      },
    },
    cloudCallRecorder(histories, world),
  );
  const { metadata } = await store.create(Network, specimen('Network') as Draft<typeof Network>);
  const identity = { id: 'i', organizationId: 'o', projectId: 'p' };
  const wanted = {
    id: metadata.name,
    prefix: '10.0.0.0/24',
    reservations: { prefixLength: 28 },
    dnsNameservers: [],
    routes: [],
  };
  return {
    world,
    fail: async (error: Error) => {
      failure = error;
      const { networks } = offer.provider as CloudProvider;
      await expect(networks.ensure(identity, wanted)).rejects.toBe(error);
    },
    /** A removal, for which the cloud makes these changes. */
    change: async (...made: readonly CloudChange[]) => {
      changes = made;
      await (offer.provider as CloudProvider).networks.remove(identity, wanted);
    },
    calls: async () => {
      await world.advance(10_000);
      const { entries } = await histories.networks.read(metadata.name, {});
      return entries.filter(({ type }) => type === 'call');
    },
  };
}

/** The failure of a call, with the number that the cloud gave it. */
function refusal(requestId: string | undefined): ProviderFailure {
  const cause = Object.assign(new Error('the words of the cloud'), { requestId });
  return new ProviderFailure('permission', 'the cloud refused creating the network', { cause });
}

it('a call that a cloud refused is in the history of its resource, with the number of the call in the cloud', async () => {
  const { fail, calls } = await stage();
  await fail(refusal('req-1'));
  expect(await calls()).toMatchObject([
    {
      action: 'provision',
      outcome: 'failed',
      message: 'the cloud refused creating the network',
      requestId: 'req-1',
    },
  ]);
  expect(JSON.stringify(await calls())).not.toContain('words of the cloud');
});

it('a failure that is repeated by a controller is recorded once in a while, with the number of the last call', async () => {
  const { world, fail, calls } = await stage();
  for (const requestId of ['req-1', 'req-2', 'req-3']) await fail(refusal(requestId));
  expect(await calls()).toHaveLength(1);
  await world.advance(waits.sameCall_ms);
  await fail(refusal('req-4'));
  expect(await calls()).toMatchObject([{ times: 2, requestId: 'req-4' }]);
});

it('a failure without an answer of the cloud has no number, and is not recorded as a call', async () => {
  const { fail, calls } = await stage();
  await fail(refusal(undefined));
  await fail(new Error('unexpected'));
  expect(await calls()).toEqual([]);
});

describe('the changes that a cloud made', () => {
  it('are in the history of the resource, with their numbers', async () => {
    const { change, calls } = await stage();
    await change({ doing: 'deleting the router', requestId: 'req-1' }, { doing: 'deleting it', requestId: 'req-2' });
    expect(await calls()).toMatchObject([
      { action: 'deprovision', outcome: 'done', message: 'deleting the router', requestId: 'req-1' },
      { action: 'deprovision', outcome: 'done', message: 'deleting it', requestId: 'req-2' },
    ]);
  });

  it('are recorded a few times if a controller repeats them', async () => {
    const { world, change, calls } = await stage();
    for (let pass = 1; pass <= 10; pass++) await change({ doing: 'updating it', requestId: `req-${pass}` });
    expect(await calls()).toMatchObject([{ times: limits.sameChanges, requestId: `req-${limits.sameChanges}` }]);
    await world.advance(waits.sameCall_ms);
    await change({ doing: 'updating it', requestId: 'req-11' });
    expect(await calls()).toMatchObject([{ times: limits.sameChanges + 1, requestId: 'req-11' }]);
  });

  it('are bounded for one step', async () => {
    const { change, calls } = await stage();
    await change(
      ...Array.from({ length: 100 }, (_, number) => ({ doing: `adding ${number}`, requestId: `req-${number}` })),
    );
    expect(await calls()).toHaveLength(limits.toldChanges);
  });
});
