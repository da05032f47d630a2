import { Type } from 'typebox';

import { Caches, Controller, done, related, type Provisioner } from '@unikorn/core/controller';
import { defineKind } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';
import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { silentTelemetry } from '@unikorn/core/testing';
import { systemWorld } from '@unikorn/core/world';

import { network, Thing } from './objects.ts';
import type { Figure, Suite } from './report.ts';
import { many } from './scale.ts';
import { fill, seconds } from './workspace.ts';

/** Wakes objects: it has the name of a network, and a change of its rank causes an event. */
const Bell = defineKind({
  group: 'bench.unikorn-cloud.org',
  version: 'v1alpha1',
  kind: 'Bell',
  plural: 'bells',
  spec: Type.Object({ rank: Type.Integer() }),
  status: {},
});

interface Rig {
  readonly store: Store;
  /** Resolves when this many more reconciles have ended. */
  readonly reconciles: (count: number) => Promise<void>;
}

/**
 * A controller with settled things. A bell wakes them: `everything` wakes all, the bell of a network wakes the things
 * in it.
 */
async function withController<T>(objects: number, work: (rig: Rig) => Promise<T>): Promise<T> {
  const store = openMemoryStore({ world: systemWorld, kinds: [Thing, Bell] });
  const telemetry = silentTelemetry();
  const context = { store, world: systemWorld, telemetry };
  const caches = new Caches(context);
  const things = caches.of(Thing);
  const byNetwork = things.index((object) => [object.metadata.labels?.[labels.network] ?? '']);
  let ended = 0;
  let awaited = { count: Infinity, resolve: () => {} };
  const provisioner: Provisioner<typeof Thing> = {
    provision: () => {
      if (++ended >= awaited.count) awaited.resolve();
      return Promise.resolve(done());
    },
    deprovision: () => Promise.resolve(done()),
  };
  const controller = new Controller(
    {
      name: 'bench',
      kind: Thing,
      provisioner,
      resync_ms: Infinity,
      related: [
        related(Bell, (bell) =>
          bell.metadata.name === 'everything'
            ? [...things.list()].map((object) => object.metadata.name)
            : byNetwork.names(bell.metadata.name),
        ),
      ],
    },
    { ...context, caches },
  );
  const rig: Rig = {
    store,
    reconciles: (count) => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      awaited = {
        count: ended + count,
        resolve: () => {
          resolve(undefined);
        },
      };
      return promise;
    },
  };
  await fill(store, objects);
  for (const name of ['everything', network(0), network(1)])
    await store.create(Bell, { metadata: { name }, spec: { rank: 0 } });
  const stop = new AbortController();
  const settled = rig.reconciles(objects);
  const running = [caches.run(stop.signal), controller.run(stop.signal)];
  await settled;
  // The writes that settle the last objects are still in progress when their provisioners return.
  for (let quiet = ended; ; quiet = ended) {
    await systemWorld.sleep(200);
    if (quiet === ended) break;
  }
  try {
    return await work(rig);
  } finally {
    stop.abort();
    await Promise.all(running);
    await store.close();
  }
}

async function ring(store: Store, name: string): Promise<void> {
  const bell = await store.get(Bell, name);
  if (bell) await store.update(Bell, { ...bell, spec: { rank: bell.spec.rank + 1 } });
}

async function noOps(): Promise<Figure> {
  const objects = many(10_000);
  const rounds = 5;
  const elapsed = await withController(objects, ({ store, reconciles }) =>
    seconds(async () => {
      for (let round = 0; round < rounds; round++) {
        const ended = reconciles(objects);
        await ring(store, 'everything');
        await ended;
      }
    }),
  );
  // The cost of the loop itself: the same number of provisioner calls, awaited one after the other.
  const provision = () => Promise.resolve(done());
  const bare = await seconds(async () => {
    for (let call = 0; call < objects * rounds; call++) await provision();
  });
  const value = (objects * rounds) / elapsed;
  return {
    name: 'no-op reconciles',
    settings: `${objects.toLocaleString('en')} settled objects, one core`,
    value,
    unit: '/s',
    baseline: { name: 'calling the provisioner in a loop', value: (objects * rounds) / bare },
    goal: { text: 'at least 10,000/s', met: value >= 10_000 },
  };
}

/** The time from a write to a bell until the 50 things in its network have been reconciled. */
async function wakeUp_us(objects: number): Promise<number> {
  const rounds = many(400);
  const elapsed = await withController(objects, ({ store, reconciles }) =>
    seconds(async () => {
      for (let round = 0; round < rounds; round++) {
        const ended = reconciles(50);
        await ring(store, network(round % 2));
        await ended;
      }
    }),
  );
  return (1e6 * elapsed) / rounds;
}

async function wakeUps(): Promise<Figure> {
  const [less, more] = [many(1_000, 100), many(100_000, 100)];
  const few_us = await wakeUp_us(less);
  const many_us = await wakeUp_us(more);
  return {
    name: 'wake-up of 50 objects by a related one',
    settings: `${more.toLocaleString('en')} objects, memory store`,
    value: many_us,
    unit: 'µs',
    baseline: { name: `${less.toLocaleString('en')} objects`, value: few_us },
    goal: { text: 'the same cost (within 1.5 ×, the noise of a shared machine)', met: many_us / few_us <= 1.5 },
  };
}

export const controllerSuite: Suite = {
  name: 'controller',
  async run(progress) {
    progress('no-op reconciles');
    const figures = [await noOps()];
    progress('wake-ups among few and many objects');
    figures.push(await wakeUps());
    return figures;
  },
};
