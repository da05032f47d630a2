import { describe, expect, it } from 'vitest';

import { Problem } from '../errors/index.ts';
import { limits } from '../limits.ts';
import { virtualWorld } from '../testing/index.ts';
import { openTestStore, SpareGear, stage, Widget } from './controller.fixture.ts';

async function started(count = 0, history?: number) {
  const world = virtualWorld();
  const scene = stage(1, { world, store: openTestStore(world, history) });
  for (let index = 0; index < count; index++) await scene.create(`w${index}`);
  const widgets = scene.caches.of(Widget);
  const heard: string[] = [];
  widgets.subscribe(({ type, object }) => heard.push(`${type} ${object.metadata.name}`));
  await scene.start();
  await scene.world.until(() => widgets.synced);
  return { ...scene, scene, widgets, heard };
}

describe('WatchCache', () => {
  it('contains all objects, over many pages, and follows changes', async () => {
    const { widgets, create, store, world, scene } = await started(limits.pageItems + 3);
    expect(widgets.size).toBe(limits.pageItems + 3);
    await create('new');
    await store.delete(Widget, 'w0');
    await world.settle();
    expect(widgets.get('new')?.spec.size).toBe(1);
    expect(widgets.get('w0')).toBeUndefined();
    await scene.end();
  });

  it('finds objects by an index, also by one added later, as they change', async () => {
    const { widgets, create, edit, store, world, scene } = await started();
    await create('a', { needs: 'x' });
    await world.settle();
    const byNeed = widgets.index(({ spec }) => (spec.needs === undefined ? [] : [spec.needs]));
    await create('b', { needs: 'x' });
    await world.settle();
    expect(byNeed.names('x')).toEqual(['a', 'b']);
    await edit('a', ({ spec }) => ({ spec: { ...spec, needs: 'y' } }));
    await store.delete(Widget, 'b');
    await world.settle();
    expect(byNeed.names('x')).toEqual([]);
    expect(byNeed.get('y').map(({ metadata }) => metadata.name)).toEqual(['a']);
    expect([...byNeed.values()]).toEqual(['y']);
    await scene.end();
  });

  it('ignores late watch events after a refresh', async () => {
    const { widgets, create, store, world, heard, scene } = await started();
    const catchUp = store.lag();
    await create('a');
    await store.delete(Widget, 'a');
    await create('b');
    await widgets.refresh(scene.stop.signal);
    expect(heard).toEqual(['added b']);
    catchUp();
    await world.settle();
    expect(heard).toEqual(['added b']);
    await scene.end();
  });

  it('resumes a dropped watch at its position, without listing again', async () => {
    const { widgets, create, store, world, heard, scene } = await started(1);
    heard.length = 0;
    store.dropWatches();
    await create('missed');
    await world.until(() => widgets.get('missed') !== undefined);
    expect(heard).toEqual(['added missed']);
    expect(store.count('list')).toBe(1);
    await scene.end();
  });

  it('lists again when its version is no longer kept, and reports only the difference', async () => {
    const { widgets, create, edit, store, world, heard, scene } = await started(3, 10);
    heard.length = 0;
    store.dropWatches();
    await store.delete(Widget, 'w0');
    for (let size = 2; size < 200; size++) await edit('w1', ({ spec }) => ({ spec: { ...spec, size } }));
    await edit('w1', ({ spec }) => ({ spec: { ...spec, size: 9 } }));
    await create('w3');
    await world.until(() => widgets.get('w3') !== undefined);
    await world.settle();
    expect(heard.sort()).toEqual(['added w3', 'deleted w0', 'modified w1']);
    expect(widgets.get('w1')?.spec.size).toBe(9);
    expect(await scene.metric('unikorn_cache_lists_total')).toBe(2);
    await scene.end();
  });

  it('is current after a refresh, and does not apply older events', async () => {
    const { widgets, create, store, world, heard, scene } = await started(2);
    heard.length = 0;
    const catchUp = store.lag();
    await store.delete(Widget, 'w0');
    await widgets.refresh(scene.stop.signal);
    expect(widgets.get('w0')).toBeUndefined();
    await create('w0');
    await widgets.refresh(scene.stop.signal);
    catchUp();
    await world.settle();
    expect(heard).toEqual(['deleted w0', 'added w0']);
    await scene.end();
  });

  it('an object that was gone when it was listed stays if it came back before the list ended', async () => {
    const { widgets, create, store, world, scene } = await started(2);
    const list = store.list.bind(store);
    store.list = async (kind, query) => {
      const page = await list(kind, query);
      await create('w0');
      await world.settle();
      return page;
    };
    const catchUp = store.lag();
    await store.delete(Widget, 'w0');
    const listing = widgets.refresh(scene.stop.signal);
    catchUp();
    await listing;
    expect(widgets.get('w0')).toBeDefined();
    await scene.end();
  });

  it('retries with growing pauses while the store fails', async () => {
    const scene = stage();
    await scene.create('a');
    scene.store.fault = () => new Problem('storage_unavailable', 'the disk is gone');
    const widgets = scene.caches.of(Widget);
    await scene.start();
    await scene.world.advance(60_000);
    expect(widgets.synced).toBe(false);
    expect(scene.store.count('list')).toBeLessThan(10);
    scene.store.fault = () => undefined;
    await scene.world.until(() => widgets.synced);
    expect(widgets.get('a')).toBeDefined();
    await scene.end();
  });

  it('catches errors of listeners and index functions', async () => {
    const { widgets, create, world, heard, scene } = await started();
    const broken = () => {
      throw new Error('broken');
    };
    widgets.index(broken);
    widgets.subscribe(broken);
    await create('a');
    await world.settle();
    expect(widgets.get('a')).toBeDefined();
    expect(heard).toEqual(['added a']);
    expect(await scene.metric('unikorn_controller_contained_errors_total', { callback: 'index' })).toBe(1);
    expect(await scene.metric('unikorn_controller_contained_errors_total', { callback: 'listener' })).toBe(1);
    await scene.end();
  });

  it('exists once per kind, and runs even if it was requested late', async () => {
    const { caches, widgets, create, world, scene } = await started();
    expect(caches.of(Widget)).toBe(widgets);
    const late = stage(1, scene);
    await late.start();
    await create('a');
    const widgetsToo = late.caches.of(Widget);
    await world.until(() => widgetsToo.synced);
    expect(widgetsToo.get('a')).toBeDefined();
    await late.end();
    await scene.end();
  });
});

describe('Caches', () => {
  it('are synced when all of them are, including those that were requested later', async () => {
    const { caches, store, world, scene } = await started(1);
    expect(caches.synced).toBe(true);
    store.fault = (_operation, kind) =>
      kind === SpareGear ? new Problem('storage_unavailable', 'the disk is gone') : undefined;
    const gears = caches.of(SpareGear);
    let waited = false;
    void caches.whenSynced().then(() => (waited = true));
    await world.advance(1_000);
    expect({ synced: caches.synced, waited }).toEqual({ synced: false, waited: false });
    store.fault = () => undefined;
    await world.until(() => gears.synced);
    await world.settle();
    expect({ synced: caches.synced, waited }).toEqual({ synced: true, waited: true });
    await scene.end();
  });
});
