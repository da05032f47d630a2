import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { finalizers, labels } from '@unikorn/core/resource';
import { bind, Saga, SagaRunner, seenState } from '@unikorn/core/saga';
import type { Store } from '@unikorn/core/store';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { interpose, silentTelemetry, virtualWorld } from '@unikorn/core/testing';
import type { VirtualWorld } from '@unikorn/core/world';
import { Founder, identityOn } from '@unikorn/identity/testing';

import { LoadBalancer } from '../kinds/index.ts';
import { allocations, chargedKinds, keepReaping } from './charges.fixture.ts';
import { chargedLoadBalancer, writeLoadBalancerSaga } from './index.ts';

const id = 'a0000000-0000-4000-8000-000000000001';
const principal = { actor: 'jane@acme.com' };
const spec = {
  publicIP: false,
  listeners: [{ name: 'web', protocol: 'tcp' as const, port: 80, pool: { proxyProtocolV2: false, members: [] } }],
};

/** Each user of the store has its own latency. */
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
  const label = { [labels.organization]: scope.organizationId, [labels.project]: scope.projectId };
  const identityClient = identityOn({ store, world, commonName: 'unikorn-region' });
  const balancer = await store.create(LoadBalancer, {
    metadata: { name: id, labels: label, finalizers: [finalizers.framework] },
    spec,
  });
  await identityClient.charge(principal, {
    scope,
    resource: { kind: LoadBalancer.id, id },
    amounts: chargedLoadBalancer.amounts(spec),
  });
  void keepReaping(slow(store, world), world, identityClient, 10);
  const update = bind(writeLoadBalancerSaga, { store: slow(store, world), identityClient });
  const runner = new SagaRunner({ store, world, telemetry: silentTelemetry(), processName: 'test', sagas: [update] });
  const write = (publicIP: boolean) =>
    runner
      .run(update, {
        id,
        principal,
        scope,
        before: seenState(balancer),
        after: { labels: label, annotations: {}, spec: { ...spec, publicIP } },
      })
      .then(
        () => 'done',
        () => 'refused',
      );
  const settled = async () => (await runner.unfinished()).length === 0;
  const charged = async () =>
    (await Promise.all(allocations.map((kind) => store.list(kind)))).flatMap(({ items }) =>
      items.map((item) => item.spec),
    );
  return { world, store, write, settled, charged };
}

describe('the charge of a resource', () => {
  it('is released once the resource is gone, at whatever time of a change it is deleted', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 120 }),
        fc.integer({ min: 1, max: 2 ** 30 }),
        async (delay_ms, seed) => {
          const { world, store, write, settled, charged } = await stage(seed);
          const writing = write(true);
          await world.advance(delay_ms);
          await store.delete(LoadBalancer, id);
          await world.until(async () => (await settled()) && (await store.get(LoadBalancer, id)) === undefined);
          await writing;
          expect(await charged()).toEqual([]);
          await store.close();
        },
      ),
      { numRuns: 100 },
    );
  });

  it('is that of the successful one of two concurrent changes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 2 ** 30 }), fc.boolean(), async (seed, first) => {
        const { world, store, write, settled, charged } = await stage(seed);
        const outcomes = Promise.all([write(first), write(!first)]);
        await world.until(settled);
        expect((await outcomes).sort()).toEqual(['done', 'refused']);
        const stored = await store.get(LoadBalancer, id);
        const amounts = stored
          ? Object.entries(chargedLoadBalancer.amounts(stored.spec)).map(([kind, amount]) => ({ kind, ...amount }))
          : [];
        expect(await charged()).toMatchObject([{ allocations: amounts }]);
        await store.close();
      }),
      { numRuns: 50 },
    );
  });
});
