import { afterEach, describe, expect, it } from 'vitest';

import { Problem } from '../errors/index.ts';
import { storedOwners } from './cascade.fixture.ts';
import { CascadingDelete } from './cascade.ts';
import { SpareGear, stage, Widget } from './controller.fixture.ts';

const label = 'test/gear';

let ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends) await end();
  ends = [];
});

function prepared() {
  const scene = stage();
  const consumer = new CascadingDelete(
    { name: 'gear-consumer', owners: storedOwners(SpareGear, scene.context), targets: [{ kind: Widget, label }] },
    scene.context,
  );
  ends.push(() => scene.end());
  return {
    ...scene,
    consumer,
    begin: () => scene.start(consumer),
    gear: (name: string) =>
      scene.store.create(SpareGear, { metadata: { name, finalizers: ['held'] }, spec: { size: 1 } }),
    letGo: async (name: string) => {
      const gear = await scene.store.get(SpareGear, name);
      if (gear)
        await scene.store.update(SpareGear, { metadata: { ...gear.metadata, finalizers: [] }, spec: gear.spec });
    },
    alive: async () => {
      const { items } = await scene.store.list(Widget);
      return items
        .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
        .map(({ metadata }) => metadata.name);
    },
  };
}

describe('CascadingDelete', () => {
  it('deletes the dependents of an object that is being deleted, and nothing else', async () => {
    const { begin, gear, create, alive, store, world, metric } = prepared();
    await gear('g');
    await gear('h');
    await create('mine', { labels: { [label]: 'g' }, finalizers: ['held'] });
    await create('other', { labels: { [label]: 'h' } });
    await create('nobodys');
    await begin();
    expect(await alive()).toEqual(['mine', 'nobodys', 'other']);
    await store.delete(SpareGear, 'g');
    await world.settle();
    expect(await alive()).toEqual(['nobodys', 'other']);
    expect(await metric('unikorn_cascade_deletes_total', { kind: Widget.id })).toBe(1);
  });

  it('handles owners at the start that were deleted while it did not run, whether they still exist or not', async () => {
    const { begin, gear, create, alive, store, letGo } = prepared();
    await gear('going');
    await gear('gone');
    await gear('stays');
    for (const owner of ['going', 'gone', 'stays']) await create(`of-${owner}`, { labels: { [label]: owner } });
    await store.delete(SpareGear, 'going');
    await store.delete(SpareGear, 'gone');
    await letGo('gone');
    await begin();
    expect(await alive()).toEqual(['of-stays']);
  });

  it('also deletes a dependent that is stored while its owner is being deleted', async () => {
    const { begin, gear, create, alive, store, world } = prepared();
    await gear('g');
    await begin();
    await store.delete(SpareGear, 'g');
    await world.settle();
    await create('late', { labels: { [label]: 'g' } });
    await world.settle();
    expect(await alive()).toEqual([]);
  });

  it('keeps dependents of an owner that is not in its cache yet', async () => {
    const { begin, gear, create, alive, store, world, caches } = prepared();
    await begin();
    const gears = caches.of(SpareGear);
    gears.get = () => undefined;
    await gear('g');
    await create('mine', { labels: { [label]: 'g' } });
    await world.settle();
    expect(await alive()).toEqual(['mine']);
    expect(store.count('delete')).toBe(0);
  });

  it('keeps a new object with the same name as one that it was about to delete', async () => {
    const { begin, gear, create, alive, store, world } = prepared();
    await gear('g');
    await create('a', { labels: { [label]: 'g' } });
    await begin();
    const remove = store.delete.bind(store);
    store.delete = async (kind, name, options) => {
      if (kind.id === Widget.id && options?.propagation === 'foreground') {
        await remove(Widget, 'a');
        await create('a');
      }
      return remove(kind, name, options);
    };
    await store.delete(SpareGear, 'g');
    await world.settle();
    expect(await alive()).toEqual(['a']);
  });

  it('ignores dependents that are already gone, and retries when the store fails', async () => {
    const { begin, gear, create, alive, store, world } = prepared();
    await gear('g');
    await create('a', { labels: { [label]: 'g' } });
    await create('b', { labels: { [label]: 'g' } });
    await begin();
    let failures = 3;
    store.fault = (operation, kind) => {
      if (operation !== 'delete' || kind.id !== Widget.id || failures-- <= 0) return undefined;
      return failures === 2 ? new Problem('not_found', 'gone') : new Problem('storage_unavailable', 'the disk is gone');
    };
    await store.delete(SpareGear, 'g');
    await world.until(async () => (await alive()).length <= 1, 60_000);
    store.fault = () => undefined;
    await world.advance(60_000);
    expect((await alive()).length).toBeLessThanOrEqual(1);
  });
});
