import { afterEach, describe, expect, it } from 'vitest';

import { Problem } from '../errors/index.ts';
import { limits } from '../limits.ts';
import { finalizers } from '../resource/index.ts';
import { Controller, type ControllerOptions } from './controller.ts';
import { scripted, SpareGear, stage, Widget } from './controller.fixture.ts';
import { readiness } from './dependency.ts';
import { done, park, tryAgain, yieldFor } from './outcome.ts';
import { related } from './related.ts';
import type { Transition } from './transition.ts';

let ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends) await end();
  ends = [];
});

type Script = Parameters<typeof scripted>[0];

async function running(steps: Script = {}, options: Partial<ControllerOptions<typeof Widget>> = {}, scene = stage()) {
  const script = scripted(steps);
  const controller = new Controller(
    { name: 'widgets', kind: Widget, provisioner: script.provisioner, resync_ms: Infinity, ...options },
    scene.context,
  );
  await scene.start(controller);
  ends.push(() => scene.end());
  return { ...scene, ...script, controller };
}

describe('provisioning', () => {
  it('a new object gets its finalizer before it is provisioned, and is Provisioned afterwards', async () => {
    const seen: unknown[] = [];
    const { create, widget, world, store } = await running({
      provision: async ({ metadata: { name } }) => {
        seen.push((await store.get(Widget, name))?.metadata.finalizers);
        return done({
          handle: 'h1',
          conditions: [{ type: 'Healthy', status: 'True', reason: 'Healthy', message: '' }],
        });
      },
    });
    await create('a');
    await world.settle();
    expect(seen).toEqual([[finalizers.framework]]);
    const { status, metadata } = await widget('a');
    expect(status).toMatchObject({ handle: 'h1', observedGeneration: metadata.generation });
    expect(status?.conditions?.map(({ type, status: state, reason }) => [type, state, reason])).toEqual([
      ['Available', 'True', 'Provisioned'],
      ['Healthy', 'True', 'Healthy'],
    ]);
    expect(store.count('updateStatus')).toBe(1);
  });

  it('its own writes do not wake it', async () => {
    const { create, world, asked } = await running();
    await create('a');
    await world.advance(3600_000);
    expect(asked).toEqual(['provision a']);
  });

  it('a silent yield writes nothing, and the next reconcile does', async () => {
    let looks = 0;
    const { create, widget, available, world, store } = await running({
      provision: () => ({
        ...yieldFor({ message: 'the widget is being built', after_ms: 2_000 }),
        ...(looks++ === 0 ? { unsaid: true as const } : {}),
      }),
    });
    await create('a');
    await world.advance(1_999);
    expect([store.count('updateStatus'), (await widget('a')).status]).toEqual([0, undefined]);
    await world.advance(1);
    expect([store.count('updateStatus'), await available('a')]).toEqual([1, 'False/Provisioning']);
  });

  it('a yield shows its reason and is reconciled again after a while, without writing the same status twice', async () => {
    const { create, available, world, asked, store } = await running({
      provision: () => yieldFor({ message: 'the widget is being built' }),
    });
    await create('a');
    await world.settle();
    expect(await available('a')).toBe('False/Provisioning');
    await world.advance(limits.yield_ms * 3);
    expect(asked).toHaveLength(4);
    expect(store.count('updateStatus')).toBe(1);
  });

  it('a failure is retried after a while, and the status says when, while the object is provisioned and deprovisioned', async () => {
    const busy = () => tryAgain({ message: 'the cloud is away', after_ms: 5_000 });
    const { create, available, widget, world, store, script } = await running({ provision: busy, deprovision: busy });
    await create('a');
    await world.settle();
    expect(await available('a')).toBe('False/Provisioning');
    await world.advance(10_000);
    expect((await widget('a')).status?.retry).toEqual({
      attempts: 3,
      since: '2026-01-01T00:00:00Z',
      nextTime: '2026-01-01T00:00:15Z',
    });
    await store.delete(Widget, 'a');
    await world.settle();
    expect(await available('a')).toBe('False/Deprovisioning');
    await world.advance(5_000);
    expect((await widget('a')).status?.retry).toEqual({
      attempts: 2,
      since: '2026-01-01T00:00:10Z',
      nextTime: '2026-01-01T00:00:20Z',
    });
    script.deprovision = () => done();
    await world.advance(5_000);
    expect(await store.get(Widget, 'a')).toBeUndefined();
  });

  it('objects that fail together do not wake each other', async () => {
    const { create, world, asked } = await running(
      { provision: () => tryAgain({ message: 'the cloud is away', after_ms: 60_000 }) },
      { related: [related(Widget, () => ['a', 'b'])] },
    );
    await create('a');
    await create('b');
    await world.advance(1_000);
    const before = asked.length;
    await world.advance(50_000);
    expect(asked).toHaveLength(before);
  });

  it('a parked object is not reconciled until its generation changes', async () => {
    const { create, edit, available, world, asked, script, metric } = await running(
      { provision: () => park({ reason: 'Errored', message: 'the size is not available here' }) },
      { resync_ms: limits.resync_ms },
    );
    await create('a');
    await world.advance(24 * 3600_000);
    expect(asked).toHaveLength(1);
    expect(await available('a')).toBe('False/Errored');
    expect(await metric('unikorn_controller_parked')).toBe(1);
    script.provision = () => done();
    await edit('a', ({ spec }) => ({ spec: { ...spec, size: 2 } }));
    await world.settle();
    expect(await available('a')).toBe('True/Provisioned');
    expect(await metric('unikorn_controller_parked')).toBe(0);
  });

  it('a parked object is reconciled again after a restart', async () => {
    const first = await running({ provision: () => park({ reason: 'Errored', message: 'no' }) });
    await first.create('a');
    await first.world.settle();
    await first.end();
    const second = await running({}, {}, stage(2, first));
    await second.world.settle();
    expect(await second.available('a')).toBe('True/Provisioned');
  });

  it('an unexpected error is retried with growing pauses, and only its fixed text is shown', async () => {
    const times: number[] = [];
    const { create, widget, world, metric } = await running({
      provision: () => {
        times.push(world.now());
        throw new Error('secret detail');
      },
    });
    await create('a');
    await world.until(() => times.length === 9);
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    for (const [index, pause] of pauses.entries()) {
      const step = Math.min(limits.backoffMax_ms, limits.backoffMin_ms * 2 ** (index + 1));
      expect(pause).toBeGreaterThanOrEqual(step / 2);
      expect(pause).toBeLessThanOrEqual(step);
    }
    const { status } = await widget('a');
    expect(JSON.stringify(status)).not.toContain('secret');
    expect(status?.conditions?.[0]).toMatchObject({
      status: 'False',
      reason: 'Errored',
      message: 'an unexpected error occurred',
    });
    expect(status?.retry).toMatchObject({ attempts: 9, since: '2026-01-01T00:00:00Z' });
    expect(await metric('unikorn_controller_retrying')).toBe(1);
  });

  it('the count of attempts is reset by a new generation and by success', async () => {
    const attempts: number[] = [];
    let healthy = false;
    const { create, edit, widget, world } = await running({
      provision: (_, { attempt }) => {
        attempts.push(attempt);
        if (!healthy) throw new Error('no');
        return done();
      },
    });
    await create('a');
    await world.until(() => attempts.length === 3);
    await edit('a', ({ spec }) => ({ spec: { ...spec, size: 2 } }));
    await world.until(() => attempts.length === 5);
    expect(attempts).toEqual([1, 2, 3, 1, 2]);
    healthy = true;
    await world.until(async () => (await widget('a')).status?.retry === undefined);
    expect((await widget('a')).status?.conditions?.[0]?.reason).toBe('Provisioned');
    healthy = false;
    await edit('a', ({ metadata }) => ({ metadata: { ...metadata, annotations: { note: 'look again' } } }));
    await world.settle();
    expect((await widget('a')).status?.retry?.attempts).toBe(1);
  });

  it('a conflict between two failures is not a success: the count continues', async () => {
    const attempts: number[] = [];
    const { create, world } = await running({
      provision: (_widget, { attempt }) => {
        attempts.push(attempt);
        if (attempts.length === 4) throw new Problem('conflict', 'somebody else was faster');
        throw new Error('broken');
      },
    });
    await create('a');
    await world.until(() => attempts.length === 6);
    expect(attempts).toEqual([1, 2, 3, 4, 4, 5]);
  });

  it('the count of attempts survives a restart', async () => {
    const attempts: number[] = [];
    const failing: Script = {
      provision: (_, { attempt }) => {
        attempts.push(attempt);
        throw new Error('no');
      },
    };
    const first = await running(failing);
    await first.create('a');
    await first.world.until(() => attempts.length === 4);
    await first.end();
    const second = await running(failing, {}, stage(2, first));
    await second.world.settle();
    expect(attempts.at(-1)).toBe(5);
  });

  it('a paused object is not reconciled, but can be deleted', async () => {
    const { create, edit, available, world, asked, store } = await running();
    await create('a', { pause: true });
    await world.settle();
    expect(asked).toEqual([]);
    expect(await available('a')).toBe('none');
    await edit('a', ({ spec }) => ({ spec: { ...spec, pause: false } }));
    await world.settle();
    await edit('a', ({ spec }) => ({ spec: { ...spec, pause: true } }));
    await store.delete(Widget, 'a');
    await world.settle();
    expect(asked).toEqual(['provision a', 'deprovision a']);
    expect(await store.get(Widget, 'a')).toBeUndefined();
  });

  it('a settled object is reconciled again after about a resync period, without a store call', async () => {
    const { create, world, asked, store } = await running({}, { resync_ms: 600_000 });
    await create('a');
    await world.settle();
    store.calls.length = 0;
    await world.advance(6_000_000);
    expect(asked.length).toBeGreaterThanOrEqual(1 + 6);
    expect(asked.length).toBeLessThanOrEqual(1 + 20);
    expect(store.calls).toEqual([]);
  });

  it('a change of the metadata wakes the controller, and a change of the status does not', async () => {
    const { create, edit, widget, world, asked, store } = await running();
    await create('a');
    await world.settle();
    const { metadata, status } = await widget('a');
    await store.updateStatus(Widget, { metadata, status: { ...status, handle: 'by a monitor' } });
    await world.settle();
    expect(asked).toHaveLength(1);
    await edit('a', ({ metadata: now }) => ({ metadata: { ...now, annotations: { note: 'x' } } }));
    await world.settle();
    await edit('a', ({ metadata: now }) => ({ metadata: { ...now, labels: { ...now.labels, colour: 'red' } } }));
    await world.settle();
    await edit('a', ({ metadata: now }) => ({
      metadata: { ...now, finalizers: [...(now.finalizers ?? []), 'servers.region/x'] },
    }));
    await world.settle();
    expect(asked).toHaveLength(4);
  });
});

describe('deletion', () => {
  it('deprovisions the object and then removes it', async () => {
    const { create, world, asked, store, metric } = await running();
    await create('a');
    await world.settle();
    await store.delete(Widget, 'a');
    await world.settle();
    expect(asked).toEqual(['provision a', 'deprovision a']);
    expect(await metric('unikorn_controller_wakeups_total', { cause: 'deletion' })).toBe(1);
    expect(await store.get(Widget, 'a')).toBeUndefined();
  });

  it('waits for the users of the object, names them, and continues when the last reference is removed', async () => {
    const { create, edit, widget, world, asked, store } = await running();
    await create('a', { finalizers: ['servers.region.unikorn-cloud.org/s1'] });
    await world.settle();
    await store.delete(Widget, 'a');
    await world.settle();
    expect((await widget('a')).status?.conditions?.[0]).toMatchObject({
      status: 'False',
      reason: 'Deprovisioning',
      message: 'still used by servers s1',
    });
    expect(asked).toEqual(['provision a']);
    const before = world.now();
    await edit('a', ({ metadata }) => ({ metadata: { ...metadata, finalizers: [finalizers.framework] } }));
    await world.settle();
    expect(await store.get(Widget, 'a')).toBeUndefined();
    expect(world.now()).toBe(before);
  });

  it('waits for dependents of a foreground deletion', async () => {
    const { create, world, asked, store, widget } = await running();
    const { metadata } = await create('a');
    const owner = {
      apiVersion: Widget.apiVersion,
      kind: Widget.kind,
      name: 'a',
      uid: metadata.uid,
      blockOwnerDeletion: true,
    };
    const child = await store.create(SpareGear, {
      metadata: { name: 'g', ownerReferences: [owner], finalizers: ['held'] },
      spec: { size: 1 },
    });
    await world.settle();
    await store.delete(Widget, 'a', { propagation: 'foreground' });
    await world.advance(1_000);
    expect((await widget('a')).status?.conditions?.[0]).toMatchObject({
      reason: 'Deprovisioning',
      message: 'waiting until the resources that belong to it are deleted',
    });
    expect(asked).toEqual(['provision a']);
    const { metadata: held, spec } = (await store.get(SpareGear, 'g')) ?? child;
    await store.update(SpareGear, { metadata: { ...held, finalizers: [] }, spec });
    await world.until(async () => (await store.get(Widget, 'a')) === undefined, 60_000);
    expect(asked).toEqual(['provision a', 'deprovision a']);
  });

  it('a yield shows Deprovisioning and is reconciled again', async () => {
    let left = 2;
    const { create, available, world, store } = await running({
      deprovision: () => (left-- > 0 ? yieldFor({ message: 'the widget is being taken apart' }) : done()),
    });
    await create('a');
    await world.settle();
    await store.delete(Widget, 'a');
    await world.settle();
    expect(await available('a')).toBe('False/Deprovisioning');
    await world.advance(limits.yield_ms * 2);
    expect(await store.get(Widget, 'a')).toBeUndefined();
  });

  it('never stops: a parked and a failed deletion are shown and retried', async () => {
    const endings = [
      () => park({ reason: 'Errored', message: 'the widget is locked' }),
      () => {
        throw new Error('no');
      },
      () => done(),
    ];
    const { create, widget, world, store } = await running({ deprovision: () => (endings.shift() ?? done)() });
    await create('a');
    await world.settle();
    await store.delete(Widget, 'a');
    await world.settle();
    expect((await widget('a')).status?.conditions?.[0]).toMatchObject({
      status: 'False',
      reason: 'Errored',
      message: 'the widget is locked',
    });
    expect((await widget('a')).status?.retry).toMatchObject({ attempts: 1 });
    await world.advance(limits.backoffMax_ms);
    expect((await widget('a')).status?.conditions?.[0]).toMatchObject({
      reason: 'Errored',
      message: 'an unexpected error occurred',
    });
    await world.advance(limits.backoffMax_ms);
    expect(await store.get(Widget, 'a')).toBeUndefined();
  });
});

describe('related kinds', () => {
  function withGears(scene = stage()) {
    const widgets = scene.caches.of(Widget);
    const gears = scene.caches.of(SpareGear);
    const byNeed = widgets.index(({ spec }) => (spec.needs === undefined ? [] : [spec.needs]));
    return running(
      {
        provision: ({ spec: { needs = '' } }) => readiness(SpareGear, needs, gears.get(needs)) ?? done(),
      },
      { related: [related(SpareGear, ({ metadata }) => byNeed.names(metadata.name))] },
      scene,
    );
  }

  it('a dependency that is created and becomes ready wakes exactly the objects that wait for it, at once', async () => {
    const { create, available, world, store, asked, metric } = await withGears();
    await create('a', { needs: 'g' });
    await create('b', { needs: 'other' });
    await world.settle();
    expect(await available('a')).toBe('False/DependencyNotFound');
    const before = world.now();
    const gear = await store.create(SpareGear, { metadata: { name: 'g' }, spec: { size: 1 } });
    await world.settle();
    expect(await available('a')).toBe('False/DependencyNotReady');
    const condition = {
      type: 'Available',
      status: 'True',
      reason: 'Provisioned',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    } as const;
    await store.updateStatus(SpareGear, { metadata: gear.metadata, status: { conditions: [condition] } });
    await world.settle();
    expect(await available('a')).toBe('True/Provisioned');
    expect(world.now()).toBe(before);
    expect(asked.filter((call) => call === 'provision b')).toHaveLength(1);
    expect(await metric('unikorn_controller_wakeups_total', { cause: SpareGear.id })).toBe(2);
  });

  it('a dependency that is deleted also wakes them', async () => {
    const { create, available, world, store } = await withGears();
    await store.create(SpareGear, { metadata: { name: 'g' }, spec: { size: 1 } });
    await create('a', { needs: 'g' });
    await world.settle();
    await store.delete(SpareGear, 'g');
    await world.settle();
    expect(await available('a')).toBe('False/DependencyNotFound');
  });

  it('an update is mapped from its state before and after', async () => {
    const scene = stage();
    const { create, world, store, asked } = await running(
      {},
      { related: [related(SpareGear, ({ spec }) => [spec.needs ?? ''])] },
      scene,
    );
    await create('old');
    await create('new');
    const gear = await store.create(SpareGear, { metadata: { name: 'g' }, spec: { size: 1, needs: 'old' } });
    await world.settle();
    asked.length = 0;
    await store.update(SpareGear, { metadata: gear.metadata, spec: { size: 1, needs: 'new' } });
    await world.settle();
    expect(asked.sort()).toEqual(['provision new', 'provision old']);
  });
});

describe('order', () => {
  it('a change is reconciled before the objects of the start and before resyncs', async () => {
    const first = await running();
    for (let index = 0; index < 50; index++) await first.create(`w${index}`);
    await first.world.settle();
    await first.end();
    const order: string[] = [];
    await first.edit('w40', ({ spec }) => ({ spec: { ...spec, size: 2 } }));
    const second = await running(
      {
        provision: async ({ metadata }) => {
          order.push(metadata.name);
          await first.world.sleep(10);
          return done();
        },
      },
      { concurrency: 1 },
      stage(2, first),
    );
    await second.world.advance(30);
    expect(order[0]).toBe('w40');
    await second.edit('w45', ({ spec }) => ({ spec: { ...spec, size: 2 } }));
    await second.world.advance(20);
    expect(order.indexOf('w45')).toBeLessThan(7);
    await second.world.until(() => order.length >= 50);
  });

  it('after a restart new objects come first, then failed ones, and settled ones last', async () => {
    const broken = (name: string) => name.startsWith('b');
    const first = await running({
      provision: ({ metadata }) => (broken(metadata.name) ? park({ reason: 'Errored', message: 'no' }) : done()),
    });
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) await first.create(name);
    await first.world.settle();
    await first.end();
    await first.create('c1');
    const second = await running({}, { concurrency: 1 }, stage(2, { world: first.world, store: first.store }));
    await second.world.settle();
    // The first object of the start may be taken before the others are known.
    expect(second.asked.map((each) => each.replace('provision ', '')).filter((name) => name !== 'a1')).toEqual([
      'c1',
      'b1',
      'b2',
      'a2',
      'a3',
    ]);
  });

  it('never reconciles one object twice at once, and reconciles it again if it changed meanwhile', async () => {
    let [now, most] = [0, 0];
    const { create, edit, world, asked, widget } = await running({
      provision: async () => {
        most = Math.max(most, ++now);
        await world.sleep(1_000);
        now--;
        return done();
      },
    });
    await create('a');
    await world.settle();
    for (let size = 2; size < 6; size++) {
      await edit('a', ({ spec }) => ({ spec: { ...spec, size } }));
      await world.advance(100);
    }
    await world.until(
      async () => (await widget('a')).status?.observedGeneration === (await widget('a')).metadata.generation,
    );
    expect(most).toBe(1);
    expect(asked.length).toBeLessThan(5);
  });

  it('never reconciles one object twice at once after a restart either, and does it when the first run has ended', async () => {
    const scene = stage();
    const slow = Promise.withResolvers<undefined>();
    const { provisioner, asked } = scripted({
      provision: async ({ metadata: { name } }) => {
        if (name === 'slow' && asked.length === 1) await slow.promise;
        return done();
      },
    });
    const controller = new Controller(
      { name: 'widgets', kind: Widget, provisioner, resync_ms: Infinity },
      scene.context,
    );
    await scene.start();
    ends.push(() => scene.end());
    const first = new AbortController();
    const ended = controller.run(first.signal);
    await scene.create('slow');
    await scene.world.settle();
    first.abort();
    await scene.world.advance(limits.drain_ms);
    await ended;

    await scene.start(controller);
    await scene.create('other');
    await scene.world.advance(limits.resync_ms);
    expect(asked).toEqual(['provision slow', 'provision other']);
    slow.resolve(undefined);
    await scene.world.settle();
    expect(asked).toEqual(['provision slow', 'provision other', 'provision slow']);
    expect(await scene.available('slow')).toBe('True/Provisioned');
  });
});

describe('transitions', () => {
  it('each transition is announced once, after it was stored', async () => {
    const told: Transition[] = [];
    let outcome = yieldFor({ message: 'building' });
    const { create, world, asked } = await running(
      {
        provision: () =>
          asked.length < 3
            ? outcome
            : done({ conditions: [{ type: 'Active', status: 'True', reason: 'Running', message: '' }] }),
      },
      { onTransition: (transition) => told.push(transition) },
    );
    await create('a', { labels: { 'unikorn-cloud.org/project': 'p1' } });
    await world.settle();
    outcome = yieldFor({ message: 'still building' });
    await world.advance(limits.yield_ms * 2);
    const origin = {
      component: { name: 'test.unikorn-cloud.org', version: '' },
      resource: { type: 'Widget', id: 'a' },
      scope: { project: 'p1' },
      observedGeneration: 1,
    };
    expect(told).toEqual([
      { ...origin, stream: 'provisioning', standing: { status: 'False', reason: 'Provisioning', message: 'building' } },
      {
        ...origin,
        stream: 'provisioning',
        standing: { status: 'False', reason: 'Provisioning', message: 'still building' },
      },
      { ...origin, stream: 'provisioning', standing: { status: 'True', reason: 'Provisioned' } },
      { ...origin, stream: 'lifecycle', standing: { status: 'True', reason: 'Running' } },
    ]);
  });
});
