import { describe, expect, it } from 'vitest';

import { Problem } from '../errors/index.ts';
import { Controller } from './controller.ts';
import { scripted, stage, Widget } from './controller.fixture.ts';
import { Lease } from './lease.ts';
import { ControllerManager } from './manager.ts';

function managed(identity: string, scene = stage()) {
  const script = scripted();
  const controller = new Controller({ name: 'widgets', kind: Widget, provisioner: script.provisioner }, scene.context);
  const manager = new ControllerManager({
    ...scene.context,
    lease: 'controllers',
    identity,
    controllers: [controller],
  });
  const stop = new AbortController();
  const ended = { yet: false };
  const start = () => {
    void manager.run(stop.signal).then(() => {
      ended.yet = true;
    });
    return scene.world.settle();
  };
  return { ...scene, ...script, manager, start, stop, ended };
}

describe('ControllerManager', () => {
  it('is ready once its caches hold what there is, leads, works, and gives the lease back when it stops', async () => {
    const { manager, start, stop, ended, create, available, world, store, metric } = managed('a');
    store.fault = () => new Problem('storage_unavailable', 'not yet');
    await start();
    expect(manager.ready).toBe(false);
    store.fault = () => undefined;
    await world.until(() => manager.ready);
    await create('w');
    await world.until(async () => (await available('w')) === 'True/Provisioned');
    expect(await metric('unikorn_leader')).toBe(1);
    stop.abort();
    await world.until(() => ended.yet);
    expect(manager.ready).toBe(false);
    expect((await store.get(Lease, 'controllers'))?.spec.holderIdentity).toBeUndefined();
    expect(await metric('unikorn_leader')).toBe(0);
  });

  it('only one of two processes works; the second is ready and takes over', async () => {
    const first = managed('a');
    const second = managed('b', stage(2, first));
    const { world } = first;
    await first.start();
    await second.start();
    await world.until(() => first.manager.ready && second.manager.ready);
    await first.create('w');
    await world.until(async () => (await first.available('w')) === 'True/Provisioned');
    expect([first.asked.length, second.asked.length]).toEqual([1, 0]);
    first.stop.abort();
    await world.until(() => second.asked.length > 0);
    expect(first.ended.yet).toBe(true);
    second.stop.abort();
    await world.until(() => second.ended.yet);
  });
});
