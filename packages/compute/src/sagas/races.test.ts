import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { finalizers, labels, withoutFinalizer } from '@unikorn/core/resource';
import { bind, Saga, SagaRunner, seenState } from '@unikorn/core/saga';
import { modify, type Store } from '@unikorn/core/store';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { interpose, silentTelemetry, virtualWorld } from '@unikorn/core/testing';
import type { VirtualWorld } from '@unikorn/core/world';
import { Founder, identityOn } from '@unikorn/identity/testing';

import { ComputeInstance } from '../kinds/index.ts';
import { allocations, chargedKinds, holdingRegion, networkId, openNetwork } from './charges.fixture.ts';
import { amountsOf, storedPrice, writeInstanceSaga, type Price } from './index.ts';

const id = 'a0000000-0000-4000-8000-000000000001';
const principal = { actor: 'jane@acme.com' };

/** Each process has its own delay to the store. */
function slow(store: Store, world: VirtualWorld): Store {
  return interpose(store, async (_call, happen) => {
    await world.sleep(world.random() * 20);
    return happen();
  });
}

async function stage(seed: number) {
  const world = virtualWorld(seed);
  const store = openMemoryStore({ world, kinds: [Saga, ...chargedKinds] });
  const found = new Founder(store, world);
  const organizationId = await found.organization();
  const scope = { organizationId, projectId: await found.project(organizationId) };
  const label = {
    [labels.name]: 'web',
    [labels.organization]: scope.organizationId,
    [labels.project]: scope.projectId,
    [labels.region]: 'r',
    [labels.network]: networkId,
  };
  const identityClient = identityOn({ store, world, commonName: 'unikorn-compute' });
  await openNetwork(store, scope);
  const saga = bind(writeInstanceSaga, {
    store: slow(store, world),
    identityClient,
    regionClient: holdingRegion(slow(store, world), world),
  });
  const runner = new SagaRunner({ store, world, telemetry: silentTelemetry(), processName: 'test', sagas: [saga] });
  const write = (price: Price, before?: ComputeInstance) =>
    runner
      .run(saga, {
        id,
        principal,
        scope,
        ...(before ? { before: seenState(before) } : {}),
        after: {
          labels: label,
          annotations: before?.metadata.annotations ?? {},
          spec: { flavorId: `with-${price.gpus}`, imageId: 'i', networking: { publicIp: price.publicIP } },
        },
        price,
      })
      .then(
        () => 'done',
        () => 'refused',
      );
  return {
    world,
    store,
    write,
    read: () => store.get(ComputeInstance, id),
    settled: async () => (await runner.unfinished()).length === 0,
    charged: async () =>
      (await Promise.all(allocations.map((kind) => store.list(kind)))).flatMap(({ items }) =>
        items.map((item) => item.spec),
      ),
    /** The work of the controller for an instance that is being deleted. */
    reap: async () => {
      const way = slow(store, world);
      await identityClient.release(principal, scope, { kind: ComputeInstance.id, id });
      await modify(way, ComputeInstance, id, (object) => ({
        ...object,
        metadata: { ...object.metadata, finalizers: withoutFinalizer(object.metadata, finalizers.framework) },
      }));
    },
  };
}

const entries = (price: Price) => Object.entries(amountsOf(price)).map(([kind, amount]) => ({ kind, ...amount }));
const price = fc.record({ gpus: fc.integer({ min: 0, max: 3 }), publicIP: fc.boolean() });

describe('the charge of an instance', () => {
  it('is the cost of the created one, for any number of concurrent creates with one name', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 2 ** 30 }),
        fc.array(price, { minLength: 2, maxLength: 5 }),
        async (seed, prices) => {
          const { world, store, write, read, settled, charged } = await stage(seed);
          const outcomes = Promise.all(prices.map((each) => write(each)));
          await world.until(settled);
          expect((await outcomes).filter((outcome) => outcome === 'done')).toHaveLength(1);
          const made = await read();
          expect(await charged()).toMatchObject([{ allocations: made ? entries(storedPrice(made)) : [] }]);
          await store.close();
        },
      ),
      { numRuns: 30 },
    );
  });

  it('is the cost of the successful one of two concurrent changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2 ** 30 }), price, price, price, async (seed, first, one, other) => {
        const { world, store, write, read, settled, charged } = await stage(seed);
        const made = write(first);
        await world.until(settled);
        expect(await made).toBe('done');
        const before = await read();
        const outcomes = Promise.all([write(one, before), write(other, before)]);
        await world.until(settled);
        expect((await outcomes).sort()).toEqual(['done', 'refused']);
        const after = await read();
        expect(await charged()).toMatchObject([{ allocations: after ? entries(storedPrice(after)) : [] }]);
        await store.close();
      }),
      { numRuns: 30 },
    );
  });

  it('is released after the deletion, at whatever moment of a change it is deleted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 2 ** 30 }),
        fc.integer({ min: 0, max: 120 }),
        price,
        async (seed, delay_ms, other) => {
          const { world, store, write, read, settled, charged, reap } = await stage(seed);
          void write({ gpus: 1, publicIP: true });
          await world.until(settled);
          const writing = write(other, await read());
          await world.advance(delay_ms);
          await store.delete(ComputeInstance, id);
          const reaped = reap();
          await world.until(async () => (await settled()) && (await read()) === undefined);
          await Promise.all([writing, reaped]);
          expect(await charged()).toEqual([]);
          await store.close();
        },
      ),
      { numRuns: 30 },
    );
  });
});
