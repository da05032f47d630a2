import { describe, expect, it } from 'vitest';

import { Controller } from '../controller/controller.ts';
import { scripted, SpareGear, stage, Widget } from '../controller/controller.fixture.ts';
import { Lease } from '../controller/lease.ts';
import { Problem } from '../errors/index.ts';
import { leasedPart, sharedPart } from './part.ts';
import { runParts } from './run.ts';

function process(processName: string, scene = stage()) {
  const script = scripted();
  const part = leasedPart(
    { ...scene.context, processName },
    {
      name: 'test/widget-controller',
      work: (caches) => [
        new Controller(
          { name: 'widgets', kind: Widget, provisioner: script.provisioner },
          { ...scene.context, caches },
        ),
      ],
    },
  );
  const stop = new AbortController();
  const ended = { yet: false };
  const start = () => {
    void runParts(scene.context, [part], stop.signal).then(() => {
      ended.yet = true;
    });
    return scene.world.settle();
  };
  return { ...scene, ...script, part, start, stop, ended };
}

describe('a leased part', () => {
  it('is ready once its caches are synced, leads, works, and releases the lease when it stops', async () => {
    const { part, start, stop, ended, create, available, world, store, metric } = process('a');
    store.fault = () => new Problem('storage_unavailable', 'not yet');
    await start();
    expect(part.ready).toBe(false);
    store.fault = () => undefined;
    await world.until(() => part.ready);
    await create('w');
    await world.until(async () => (await available('w')) === 'True/Provisioned');
    expect(await metric('unikorn_leader', { lease: 'test-widget-controller' })).toBe(1);
    stop.abort();
    await world.until(() => ended.yet);
    expect(part.ready).toBe(false);
    expect((await store.get(Lease, 'test-widget-controller'))?.spec.holderIdentity).toBeUndefined();
    expect(await metric('unikorn_leader')).toBe(0);
  });

  it('works in one of two processes; the second is ready and takes over', async () => {
    const first = process('a');
    const second = process('b', stage(2, first));
    const { world } = first;
    await first.start();
    await second.start();
    await world.until(() => first.part.ready && second.part.ready);
    await first.create('w');
    await world.until(async () => (await first.available('w')) === 'True/Provisioned');
    expect([first.asked.length, second.asked.length]).toEqual([1, 0]);
    first.stop.abort();
    await world.until(() => second.asked.length > 0);
    expect(first.ended.yet).toBe(true);
    second.stop.abort();
    await world.until(() => second.ended.yet);
  });

  it('reads nothing and holds no lease in a process that does not run it', async () => {
    const scene = stage();
    let made = 0;
    leasedPart({ ...scene.context, processName: 'a' }, { name: 'test/idle', work: () => (made++, []) });
    await scene.start();
    await scene.world.advance(60_000);
    expect([made, scene.store.calls]).toEqual([0, []]);
    await scene.end();
  });
});

describe('the readiness of a part', () => {
  it('depends on the caches that it reads, and on no others of the process', async () => {
    const { caches, context, world, store } = stage();
    const [widgets, gears] = [Widget, SpareGear].map((kind) => {
      const own = caches.scope();
      own.of(kind);
      return sharedPart({ name: `test/${kind.plural}`, caches: own, run: () => Promise.resolve() });
    });
    store.fault = (_operation, kind) =>
      kind.id === SpareGear.id ? new Problem('storage_unavailable', 'not yet') : undefined;
    const stop = new AbortController();
    const running = runParts(
      context,
      [widgets, gears].flatMap((part) => part ?? []),
      stop.signal,
    );
    await world.settle();
    expect([widgets?.ready, gears?.ready]).toEqual([true, false]);
    stop.abort();
    await world.settle();
    await running;
  });
});
