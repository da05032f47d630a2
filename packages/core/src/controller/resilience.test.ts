import { afterEach, describe, expect, it } from 'vitest';

import { Problem } from '../errors/index.ts';
import { limits } from '../limits.ts';
import { Controller, type ControllerOptions } from './controller.ts';
import { scripted, SpareGear, stage, TestStore, Widget } from './controller.fixture.ts';
import { done, yieldFor } from './outcome.ts';
import { related } from './related.ts';

let ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends) await end();
  ends = [];
});

async function running(
  steps: Parameters<typeof scripted>[0] = {},
  options: Partial<ControllerOptions<typeof Widget>> = {},
  scene = stage(),
) {
  const script = scripted(steps);
  const controller = new Controller(
    { name: 'widgets', kind: Widget, provisioner: script.provisioner, resync_ms: Infinity, ...options },
    scene.context,
  );
  await scene.start(controller);
  ends.push(() => scene.end());
  return { ...scene, ...script, controller };
}

describe('a cache that lags', () => {
  it('is not used for the controller’s own writes: these are read from the store', async () => {
    const scene = stage();
    const widgets = scene.caches.of(Widget);
    const handles: (string | undefined)[] = [];
    let catchUp: () => void = () => undefined;
    const { create, world, store } = await running(
      {
        provision: ({ status }) => {
          if (handles.length === 0) catchUp = store.lag();
          handles.push(status?.handle);
          return yieldFor({ message: 'building', after_ms: 1_000, status: { handle: `h${handles.length}` } });
        },
      },
      {},
      scene,
    );
    await create('a');
    await world.advance(2_000);
    expect(widgets.get('a')?.status).toBeUndefined();
    expect(handles).toEqual([undefined, 'h1', 'h2']);
    catchUp();
    await world.settle();
    store.calls.length = 0;
    await world.advance(1_000);
    expect(handles.at(-1)).toBe('h3');
    expect(store.count('get')).toBe(0);
  });

  it('does not bring back an object that is gone', async () => {
    const scene = stage();
    const widgets = scene.caches.of(Widget);
    const { create, world, store, asked } = await running({}, { related: [related(SpareGear, () => ['a'])] }, scene);
    await create('a');
    await world.settle();
    await store.delete(Widget, 'a');
    // The cache sees everything except the removal of the object.
    const original = widgets.get.bind(widgets);
    let ghost = original('a');
    widgets.subscribe(({ type, object, previous }) => {
      ghost = type === 'deleted' ? previous : object;
    });
    widgets.get = (name) => original(name) ?? (name === 'a' ? ghost : undefined);
    await world.settle();
    expect(await store.get(Widget, 'a')).toBeUndefined();
    await store.create(SpareGear, { metadata: { name: 'g' }, spec: { size: 1 } });
    await world.settle();
    expect(asked).toEqual(['provision a', 'deprovision a']);
  });

  it('does not cause a new process to provision again what the earlier process removed', async () => {
    const first = await running();
    await first.create('a');
    await first.world.settle();
    const second = stage(2, { world: first.world, store: new TestStore(first.store) });
    ends.push(() => second.end());
    await second.start();
    const widgets = second.caches.of(Widget);
    await first.world.until(() => widgets.get('a') !== undefined);
    const catchUp = second.store.lag();
    await first.store.delete(Widget, 'a');
    await first.world.settle();
    await first.end();
    expect(widgets.get('a')).toBeDefined();
    const { provisioner, asked } = scripted();
    const stop = new AbortController();
    const successor = new Controller({ name: 'successor', kind: Widget, provisioner }, second.context).run(stop.signal);
    await first.world.settle();
    catchUp();
    await first.world.settle();
    expect(asked).toEqual([]);
    stop.abort();
    await successor;
  });

  it('is used again once it has caught up: a settled object needs no read', async () => {
    let races = 0;
    const { create, edit, world, store } = await running({
      provision: () => {
        if (races-- > 0) throw new Problem('conflict', 'somebody else was faster');
        return done();
      },
    });
    const annotate = (note: string) =>
      edit('a', ({ metadata }) => ({ metadata: { ...metadata, annotations: { note } } }));
    await create('a');
    await world.settle();
    races = 1;
    await annotate('x');
    await world.advance(limits.conflict_ms);
    store.calls.length = 0;
    await annotate('y');
    await world.settle();
    expect(store.calls).toEqual(['get', 'update']);
  });
});

describe('races', () => {
  it('a change during the provisioner’s run wins, is not an error, and is reconciled', async () => {
    const sizes: number[] = [];
    const { create, edit, world, available, widget, metric } = await running({
      provision: async ({ spec }) => {
        sizes.push(spec.size);
        if (sizes.length === 1) await edit('a', ({ spec: now }) => ({ spec: { ...now, size: 2 } }));
        return done();
      },
    });
    await create('a');
    await world.advance(limits.conflict_ms);
    expect(sizes.at(-1)).toBe(2);
    expect(await available('a')).toBe('True/Provisioned');
    expect((await widget('a')).status?.retry).toBeUndefined();
    expect(await metric('unikorn_controller_reconcile_seconds', { outcome: 'errored' })).toBeUndefined();
  });

  it('a conflict in the provisioner is not an error at first, but a lasting one is', async () => {
    const { create, world, available } = await running({
      provision: () => {
        throw new Problem('conflict', 'somebody else was faster');
      },
    });
    await create('a');
    await world.settle();
    expect(await available('a')).toBe('none');
    await world.advance(limits.conflict_ms * limits.conflictsInARow);
    expect(await available('a')).toBe('False/Errored');
  });

  it('an object that disappears during the provisioner’s run is not an error', async () => {
    const { create, edit, world, store, metric } = await running({
      provision: async () => {
        await edit('a', ({ metadata }) => ({ metadata: { ...metadata, finalizers: [] } }));
        await store.delete(Widget, 'a');
        return done();
      },
    });
    await create('a');
    await world.advance(limits.conflict_ms * 2);
    expect(await metric('unikorn_controller_reconcile_seconds', { outcome: 'errored' })).toBeUndefined();
  });
});

describe('a store that fails', () => {
  it('is retried with backoff, and nothing is provisioned before the finalizer is stored', async () => {
    const { create, world, store, asked, available } = await running();
    store.fault = (operation) =>
      operation === 'update' ? new Problem('storage_unavailable', 'the disk is gone') : undefined;
    await create('a');
    await world.advance(60_000);
    expect(asked).toEqual([]);
    const tries = store.count('update');
    expect(tries).toBeGreaterThan(3);
    expect(tries).toBeLessThan(10);
    store.fault = () => undefined;
    await world.until(async () => (await available('a')) === 'True/Provisioned');
  });

  it('a status that cannot be stored becomes a visible error, with growing pauses', async () => {
    const { create, world, available, widget, asked } = await running({
      provision: () => done({ handle: 'far too long for what the kind declares' }),
    });
    await create('a');
    await world.settle();
    expect(await available('a')).toBe('False/Errored');
    await world.until(() => asked.length === 4);
    await world.settle();
    expect((await widget('a')).status?.retry?.attempts).toBe(4);
  });
});

describe('stopping', () => {
  it('starts nothing new, aborts the running work, waits for it, and does not change its condition', async () => {
    let told = false;
    const scene = await running(
      {
        provision: async (_, { signal }) => {
          await scene.world.sleep(60_000, signal);
          told = signal.aborted;
          return done();
        },
      },
      { concurrency: 1 },
    );
    await scene.create('a');
    await scene.create('b');
    await scene.world.settle();
    const before = scene.world.now();
    await scene.end();
    expect(told).toBe(true);
    expect(scene.asked).toEqual(['provision a']);
    expect(await scene.available('a')).toBe('none');
    expect(scene.world.now()).toBe(before);
  });

  it('does not wait forever for work that ignores the signal', async () => {
    const scene = await running({ provision: () => new Promise(() => undefined) });
    await scene.create('a');
    await scene.world.settle();
    const before = scene.world.now();
    await scene.end();
    expect(scene.world.now() - before).toBe(limits.drain_ms);
  });

  it('a failure that it causes is not shown as an error', async () => {
    const scene = await running({
      provision: async (_, { signal }) => {
        await scene.world.sleep(60_000, signal);
        throw new Error('aborted');
      },
    });
    await scene.create('a');
    await scene.world.settle();
    await scene.end();
    expect(await scene.available('a')).toBe('none');
  });
});

describe('panics', () => {
  it.each([
    ['an error', new Error('boom')],
    ['a string', 'boom'],
    ['nothing', null],
  ])('a provisioner that throws %s is contained', async (_, thrown) => {
    const { create, world, available, script } = await running({
      provision: () => {
        AbortSignal.abort(thrown).throwIfAborted();
        return done();
      },
    });
    await create('a');
    await world.settle();
    expect(await available('a')).toBe('False/Errored');
    script.provision = () => done();
    await create('b');
    await world.settle();
    expect(await available('b')).toBe('True/Provisioned');
    await world.until(async () => (await available('a')) === 'True/Provisioned');
  });

  it('mappings and listeners that throw are contained and counted', async () => {
    const broken = () => {
      throw new Error('boom');
    };
    const { create, world, store, available, metric } = await running(
      {},
      { related: [related(SpareGear, broken)], onTransition: broken },
    );
    await store.create(SpareGear, { metadata: { name: 'g' }, spec: { size: 1 } });
    await create('a');
    await world.settle();
    expect(await available('a')).toBe('True/Provisioned');
    expect(await metric('unikorn_controller_contained_errors_total', { callback: 'wakes' })).toBe(1);
    expect(await metric('unikorn_controller_contained_errors_total', { callback: 'onTransition' })).toBe(1);
  });
});
