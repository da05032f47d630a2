import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { Problem } from '../errors/index.ts';
import type { Resource } from '../kinds/index.ts';
import { Controller } from './controller.ts';
import { stage, TestStore, Widget } from './controller.fixture.ts';
import { done, yieldFor } from './outcome.ts';
import type { Provisioner } from './provisioner.ts';

type Scene = ReturnType<typeof stage>;

/** The system in which widgets are created. It allows duplicates, so the controller has to prevent them. */
interface Machine {
  readonly owner: string;
  size: number;
}

type Trouble = 'none' | 'fails before' | 'fails after' | 'slow';

/** A process with a controller, which can be killed between any two of its effects. */
class Process {
  readonly store: TestStore;
  readonly #scene: Scene;
  #alive = true;

  constructor(scene: Scene, cloud: Cloud) {
    this.store = new TestStore(scene.store);
    this.#scene = stage(1, { world: scene.world, store: this.store });
    const controller = new Controller(
      { name: 'widgets', kind: Widget, provisioner: this.#provisioner(cloud), resync_ms: Infinity },
      this.#scene.context,
    );
    void this.#scene.start(controller);
  }

  kill(): void {
    this.#alive = false;
    this.store.fault = () => new Problem('storage_unavailable', 'this process is dead');
    this.#scene.stop.abort();
  }

  /** An effect of a dead process never happens, and its answer never arrives. */
  async #effect<T>(cloud: Cloud, act: () => T): Promise<T> {
    const { trouble } = cloud;
    if (trouble === 'slow') await this.#scene.world.sleep(700);
    if (!this.#alive) return new Promise(() => undefined);
    if (trouble === 'fails before') throw new Error('the cloud is broken');
    const result = act();
    await Promise.resolve();
    if (trouble === 'fails after') throw new Error('the answer was lost');
    return result;
  }

  #provisioner(cloud: Cloud): Provisioner<typeof Widget> {
    const find = (widget: Resource<typeof Widget>) =>
      this.#effect(cloud, () => cloud.machines.find(({ owner }) => owner === widget.metadata.uid));
    return {
      provision: async (widget) => {
        const { uid: owner } = widget.metadata;
        const { size } = widget.spec;
        const machine = await find(widget);
        if (!machine) {
          await this.#effect(cloud, () => cloud.machines.push({ owner, size }));
          return yieldFor({ message: 'the machine is being made', after_ms: 500 });
        }
        await this.#effect(cloud, () => (machine.size = size));
        return done({ handle: String(size) });
      },
      deprovision: async (widget) => {
        const machine = await find(widget);
        if (!machine) return done();
        await this.#effect(cloud, () => cloud.machines.splice(cloud.machines.indexOf(machine), 1));
        return yieldFor({ message: 'the machine is being taken away', after_ms: 500 });
      },
    };
  }
}

class Cloud {
  trouble: Trouble = 'none';
  readonly machines: Machine[] = [];
}

const name = fc.constantFrom('a', 'b', 'c');
const command = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), name }) },
  fc.record({ do: fc.constant('resize' as const), name, size: fc.integer({ min: 2, max: 9 }) }),
  fc.record({ do: fc.constant('delete' as const), name }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), for_ms: fc.integer({ min: 0, max: 5_000 }) }) },
  fc.record({
    do: fc.constant('trouble' as const),
    trouble: fc.constantFrom<Trouble>('none', 'fails before', 'fails after', 'slow'),
  }),
  fc.record({ do: fc.constant('crash' as const) }),
  fc.record({ do: fc.constant('lose answers' as const), lost: fc.boolean() }),
  fc.record({ do: fc.constant('drop watches' as const), expired: fc.boolean() }),
  fc.record({ do: fc.constant('lag' as const) }),
  fc.record({ do: fc.constant('catch up' as const) }),
);
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;

async function play(seed: number, commands: readonly Command[]): Promise<void> {
  const scene = stage(seed);
  const { world, store } = scene;
  const cloud = new Cloud();
  let process = new Process(scene, cloud);
  let catchUp: () => void = () => undefined;
  for (const current of commands) {
    await act(current);
    await Promise.resolve();
  }
  catchUp();
  cloud.trouble = 'none';
  process.store.lostAnswer = () => undefined;
  await world.until(async () => settled((await store.list(Widget)).items, cloud), 3600_000);
  // Late effects do not change it again.
  await world.advance(120_000);
  const { items } = await store.list(Widget);
  expect(cloud.machines.map(({ owner, size }) => [owner, size]).sort()).toEqual(
    items.map(({ metadata, spec }) => [metadata.uid, spec.size]).sort(),
  );
  expect(settled(items, cloud)).toBe(true);
  process.kill();

  async function act(current: Command): Promise<void> {
    switch (current.do) {
      case 'create':
        if (!(await store.get(Widget, current.name))) await scene.create(current.name);
        return;
      case 'resize':
        if (await store.get(Widget, current.name))
          await scene.edit(current.name, ({ spec }) => ({ spec: { ...spec, size: current.size } })).catch(ignoreRace);
        return;
      case 'delete':
        await store.delete(Widget, current.name).catch(ignoreRace);
        return;
      case 'wait':
        return world.advance(current.for_ms);
      case 'trouble':
        cloud.trouble = current.trouble;
        return;
      case 'crash':
        catchUp();
        process.kill();
        process = new Process(scene, cloud);
        return;
      case 'lose answers':
        process.store.lostAnswer = (operation) =>
          current.lost && operation !== 'list' && operation !== 'watch'
            ? new Problem('storage_unavailable', 'no answer')
            : undefined;
        return;
      case 'drop watches':
        process.store.dropWatches(current.expired ? new Problem('expired', 'too old') : undefined);
        return;
      case 'lag':
        catchUp();
        catchUp = process.store.lag();
        return;
      case 'catch up':
        catchUp();
        return;
    }
  }
}

function ignoreRace(thrown: unknown): undefined {
  if (!(thrown instanceof Problem)) throw thrown;
}

function settled(widgets: readonly Resource<typeof Widget>[], { machines }: Cloud): boolean {
  const provisioned = widgets.every(
    ({ metadata, status }) =>
      metadata.deletionTimestamp === undefined &&
      status?.observedGeneration === metadata.generation &&
      status.conditions?.[0]?.reason === 'Provisioned',
  );
  return provisioned && machines.length === widgets.length;
}

describe('a controller', () => {
  it('always converges: each wanted object exists once, and nothing of a deleted one is left', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.array(command, { minLength: 5, maxLength: 40 }),
        play,
      ),
      { numRuns: 100 },
    );
  });
});
