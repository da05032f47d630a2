import { expect, it, onTestFinished } from 'vitest';

import { limits } from '../limits.ts';
import { openMemoryStore } from '../store/sqlite/index.ts';
import { modify } from '../store/index.ts';
import { virtualWorld } from '../testing/index.ts';
import { liveHolders } from './holders.ts';
import { Lease, released, taken } from './lease.ts';

const names = ['test-a', 'test-b', 'test-c'];

function stage() {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: [Lease] });
  onTestFinished(() => store.close());
  const take = (name: string, holder: string) =>
    store.create(Lease, { metadata: { name }, spec: taken(undefined, holder, world.now()) });
  return { world, store, take };
}

it('a process that renews a lease is alive, and one that left its lease behind is not', async () => {
  const { world, store, take } = stage();
  await take('test-a', 'alive');
  await take('test-b', 'killed');
  await take('other', 'of another tool');
  const looking = liveHolders({ store, world }, names);
  await world.advance(limits.lease_ms / 3);
  for (const name of ['test-a', 'other'])
    await modify(store, Lease, name, (lease) => ({
      ...lease,
      spec: taken(lease.spec, lease.spec.holderIdentity ?? '', world.now()),
    }));
  await world.advance(limits.lease_ms);
  expect(await looking).toEqual(['alive']);
});

it('released leases need no observation', async () => {
  const { world, store, take } = stage();
  await take('test-a', 'stopped');
  await modify(store, Lease, 'test-a', (lease) => ({ ...lease, spec: released(lease.spec, world.now()) }));
  expect(await liveHolders({ store, world }, names)).toEqual([]);
});
