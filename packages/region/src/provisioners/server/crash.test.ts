import { describe, expect, it } from 'vitest';

import { Server } from '../../kinds/index.ts';
import { debian, stage, until, type Stage, type StageOptions } from './stage.fixture.ts';

interface Scenario {
  readonly name: string;
  readonly options?: StageOptions;
  /** Prepares the state before the process that dies. */
  readonly prepare: (scene: Stage) => Promise<void>;
  readonly end: string;
  readonly check: (scene: Stage) => Promise<void> | void;
}

async function running(scene: Stage): Promise<void> {
  await scene.create();
  const { end } = scene.begin();
  await until(scene, 'Provisioned');
  await end();
}

const slow = { build_ms: 3_000, delete_ms: 1_000 };

const scenarios: readonly Scenario[] = [
  {
    name: 'a creation',
    options: { knobs: slow },
    prepare: async (scene) => {
      await scene.create();
    },
    end: 'Provisioned',
    check: ({ incarnations }) => {
      expect(incarnations.size).toBe(1);
    },
  },
  {
    name: 'a creation that fails in the cloud and is given up',
    options: { knobs: { ...slow, buildFailureRate: 1 }, attempts: 2 },
    prepare: async (scene) => {
      await scene.create();
    },
    end: 'Errored',
    check: async ({ incarnations, server }) => {
      expect(incarnations.size).toBe(2);
      expect((await server())?.status?.providerCreateFailures).toBe(2);
    },
  },
  {
    name: 'a rebuild',
    options: { knobs: slow },
    prepare: async (scene) => {
      await running(scene);
      await scene.change({ image: { id: debian } });
    },
    end: 'Provisioned',
    check: async ({ accepted, incarnations, server }) => {
      expect({ accepted, incarnations: incarnations.size, rebuild: (await server())?.status?.rebuild }).toEqual({
        accepted: [debian],
        incarnations: 1,
        rebuild: undefined,
      });
    },
  },
  {
    name: 'a deletion',
    options: { knobs: slow },
    prepare: async (scene) => {
      await running(scene);
      await scene.store.delete(Server, scene.id);
    },
    end: 'gone',
    check: async ({ cloud, identity }) => {
      expect(await cloud.servers.list(identity)).toEqual([]);
    },
  },
];

describe.each(scenarios)(
  '$name whose process dies between any two of its effects',
  ({ options, prepare, end, check }) => {
    it('comes to the same end in the next', async () => {
      const whole = await stage(options);
      await prepare(whole);
      const only = whole.begin();
      await until(whole, end);
      await only.end();
      await check(whole);
      expect(only.life.cuts).toBeGreaterThan(4);

      for (let death = 1; death <= only.life.cuts; death++) {
        const scene = await stage(options);
        await prepare(scene);
        const first = scene.begin(death);
        await scene.world.advance(20_000);
        await first.end();
        const second = scene.begin();
        await until(scene, end);
        await second.end();
        await check(scene);
      }
    });
  },
);
