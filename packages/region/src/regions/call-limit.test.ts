import { expect, it } from 'vitest';

import { TenureLost, underTenure } from '@unikorn/core/tenure';
import { Turns } from '@unikorn/core/turns';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { virtualWorld } from '@unikorn/core/testing';

import { simulatedKinds, simulatedProvider } from '../providers/simulated/index.ts';
import type { CloudProvider, Servers } from '../provider/index.ts';
import { withCallLimit } from './call-limit.ts';
import { cloudWith, serversWith } from './delegate.ts';
import { Silence } from './silence.ts';

const call_ms = 100;

/** A cloud whose looks at servers take a while, behind a limit. */
function stage(places: number) {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: simulatedKinds });
  const cloud = simulatedProvider({ store, world, regionId: 'r' });
  const order: string[] = [];
  let [underway, most] = [0, 0];
  const observe: Servers['observe'] = async ({ id: principal }, { id }) => {
    most = Math.max(most, ++underway);
    await world.sleep(call_ms);
    underway--;
    order.push(`${principal} ${id}`);
    if (id === 'broken') throw new Error('the call failed');
    return { state: 'absent' };
  };
  const slow = cloudWith(cloud, { servers: serversWith(cloud.servers, { observe }) });
  const offer = withCallLimit({ tier: 'cloud', provider: slow }, new Turns(world, places), new Silence(world));
  const provider = offer.provider as CloudProvider;
  const look = (principal: string, id: string) =>
    provider.servers.observe({ id: principal, organizationId: 'o', projectId: 'p' }, { id, name: id });
  return { world, store, provider, look, order, most: () => most };
}

it('no more calls of a region run at once than its limit, and all of them run', async () => {
  const { world, look, order, most } = stage(3);
  const looks = Promise.all(Array.from({ length: 10 }, (_, index) => look('a', String(index))));
  await world.advance(4 * call_ms);
  await looks;
  expect([most(), order.length]).toEqual([3, 10]);
});

it('a principal with few calls does not wait for one with many', async () => {
  const { world, look, order } = stage(2);
  const looks = [
    ...Array.from({ length: 8 }, (_, index) => look('many', String(index))),
    look('few', 'x'),
    look('few', 'y'),
  ];
  await world.advance(3 * call_ms);
  expect(order.slice(0, 6)).toEqual(expect.arrayContaining(['few x', 'few y']));
  await world.advance(3 * call_ms);
  await Promise.all(looks);
});

it('a call that fails gives its place back', async () => {
  const { world, look } = stage(1);
  const failed = expect(look('a', 'broken')).rejects.toThrow('the call failed');
  const next = look('a', 'next');
  await world.advance(2 * call_ms);
  await failed;
  expect(await next).toEqual({ state: 'absent' });
});

it('a controller that may no longer lead can look, but changes nothing', async () => {
  const { world, store, provider, look } = stage(1);
  const lost = () => {
    throw new TenureLost('another process may lead');
  };
  const identity = { id: 'a', organizationId: 'o', projectId: 'p' };
  await underTenure(lost, async () => {
    const looked = look('a', 'x');
    await world.advance(call_ms);
    expect(await looked).toEqual({ state: 'absent' });
    await expect(provider.identities.ensure(identity)).rejects.toThrow(TenureLost);
    await expect(provider.servers.remove(identity, { id: 'x', name: 'x' })).rejects.toThrow(TenureLost);
    await expect(provider.servers.power(identity, { id: 'x', name: 'x' }, 'stop')).rejects.toThrow(TenureLost);
    await expect(provider.images.remove('x')).rejects.toThrow(TenureLost);
  });
  for (const kind of simulatedKinds) expect((await store.list(kind)).items).toEqual([]);
});
