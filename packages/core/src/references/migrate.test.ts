import { Type } from 'typebox';
import { expect, it } from 'vitest';

import { defineKind } from '../kinds/index.ts';
import { labels } from '../resource/index.ts';
import { openMemoryStore } from '../store/sqlite/index.ts';
import { Life, virtualWorld } from '../testing/index.ts';
import { moveFinalizers, ReferenceRecord } from './index.ts';

const Network = defineKind({
  group: 'test.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'Network',
  plural: 'networks',
  spec: Type.Object({}),
  status: {},
});
const users = ['identities.region.unikorn-cloud.org/a', 'filestorages.region.unikorn-cloud.org/b'];

async function oldState() {
  const world = virtualWorld();
  const store = openMemoryStore({ world, kinds: [Network, ReferenceRecord] });
  const carried = { [labels.organization]: 'o', [labels.project]: 'p' };
  await store.create(Network, {
    metadata: { name: 'used', labels: carried, finalizers: ['unikorn', ...users, 'backup.example.com/nightly'] },
    spec: {},
  });
  await store.create(Network, { metadata: { name: 'going', finalizers: ['unikorn', ...users] }, spec: {} });
  await store.delete(Network, 'going');
  await store.create(Network, { metadata: { name: 'free', finalizers: ['unikorn'] }, spec: {} });
  const state = async () => ({
    finalizers: Object.fromEntries(
      (await store.list(Network)).items.map(({ metadata }) => [metadata.name, metadata.finalizers]),
    ),
    references: (await store.list(ReferenceRecord)).items
      .map(({ metadata, spec }) => [spec.used.id, spec.reference, metadata.labels?.[labels.project]].join(' '))
      .toSorted(),
  });
  return { world, store, state };
}

const moved = {
  finalizers: { used: ['unikorn', 'backup.example.com/nightly'], going: ['unikorn'], free: ['unikorn'] },
  references: [`going ${users[0]} `, `going ${users[1]} `, `used ${users[0]} p`, `used ${users[1]} p`].toSorted(),
};

it('every finalizer of a user becomes a reference; those of the platform and of operators stay', async () => {
  const { store, state } = await oldState();
  await moveFinalizers(store, Network);
  expect(await state()).toEqual(moved);
  await moveFinalizers(store, Network);
  expect(await state()).toEqual(moved);
});

it('the result is the same wherever the process dies', async () => {
  let deaths = 0;
  for (let died = true; died;) {
    const { world, store, state } = await oldState();
    const life = new Life(store, ++deaths);
    void moveFinalizers(life.store, Network);
    await world.settle();
    ({ died } = life);
    life.die();
    await moveFinalizers(store, Network);
    expect(await state()).toEqual(moved);
  }
  expect(deaths).toBeGreaterThan(8);
});
