import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { readHistory } from '@unikorn/core/history';
import { Server } from '@unikorn/region/kinds';

import { ComputeInstance, instanceHistoryStorage } from '../../kinds/index.ts';
import { instanceControllers } from '../../managers/instances.ts';
import { debianImage, gpuFlavor, startCompute, type RunningCompute } from '../../testing/index.ts';
import { beginLife } from '../../testing/lives.ts';
import { bear, change, charges, recorded, serversOf, until, type Birth } from './stage.fixture.ts';

let compute: RunningCompute;
const calls: string[] = [];

beforeAll(async () => {
  const started = await startCompute({ controllers: 'asleep', knobs: { build_ms: 2_000, delete_ms: 1_000 } });
  compute = { ...started, toRegion: recorded(started.toRegion, calls) };
});
afterAll(() => compute.stop());

async function running(name: string, spec: Birth['spec'] = {}): Promise<string> {
  const id = await bear(compute, { name, spec });
  const { end } = beginLife(compute, instanceControllers);
  await until(compute, id, 'Provisioned');
  await end();
  return id;
}

interface Scenario {
  readonly name: string;
  readonly prepare: (name: string) => Promise<string>;
  readonly end: 'Provisioned' | 'gone';
  readonly check: (id: string, before: readonly string[]) => Promise<void>;
}

/** All servers that an instance ever had, by their uid. */
async function incarnation(id: string): Promise<readonly string[]> {
  return (await serversOf(compute, id)).map(({ metadata }) => metadata.uid);
}

const scenarios: readonly Scenario[] = [
  {
    name: 'create',
    prepare: (name) => bear(compute, { name }),
    end: 'Provisioned',
    check: async (id) => {
      expect(await incarnation(id)).toHaveLength(1);
    },
  },
  {
    name: 'image',
    prepare: async (name) => {
      const id = await running(name);
      await change(compute, id, { imageId: debianImage });
      return id;
    },
    end: 'Provisioned',
    check: async (id, before) => {
      expect(await incarnation(id)).toEqual(before);
      expect((await serversOf(compute, id))[0]?.spec.image.id).toBe(debianImage);
    },
  },
  {
    name: 'flavor',
    prepare: async (name) => {
      const id = await running(name);
      await change(compute, id, { flavorId: gpuFlavor });
      return id;
    },
    end: 'Provisioned',
    check: async (id, before) => {
      const [server, ...others] = await serversOf(compute, id);
      expect(others).toEqual([]);
      expect(server?.spec.flavorID).toBe(gpuFlavor);
      expect(before).not.toContain(server?.metadata.uid);
      expect(calls.filter((call) => call.startsWith('create'))).toHaveLength(1);
    },
  },
  {
    name: 'stop-after-image',
    prepare: async (name) => {
      const id = await running(name, { afterRebuild: 'stop' });
      await change(compute, id, { imageId: debianImage });
      return id;
    },
    end: 'Provisioned',
    check: async (id, before) => {
      expect(await incarnation(id)).toEqual(before);
      await compute.eventually(
        () => compute.store.get(ComputeInstance, id),
        (instance) => instance?.status?.powerState === 'Stopped',
      );
      expect(calls.filter((call) => call === 'stop')).toHaveLength(1);
    },
  },
  {
    name: 'loss',
    prepare: async (name) => {
      const id = await running(name);
      const [server] = await serversOf(compute, id);
      if (server)
        await compute.store.update(Server, { metadata: { ...server.metadata, finalizers: [] }, spec: server.spec });
      await compute.store.delete(Server, id);
      return id;
    },
    end: 'Provisioned',
    check: async (id, before) => {
      expect(before).toEqual([]);
      expect(await incarnation(id)).toHaveLength(1);
    },
  },
  {
    name: 'delete',
    prepare: async (name) => {
      const id = await running(name);
      await compute.store.delete(ComputeInstance, id);
      return id;
    },
    end: 'gone',
    check: async (id) => {
      expect(await incarnation(id)).toEqual([]);
      const { entries } = await readHistory(compute.store, instanceHistoryStorage, id, {});
      expect(entries.filter(({ action }) => action === 'deletion').map(({ outcome }) => outcome)).toEqual([
        'begun',
        'gone',
      ]);
      expect(entries.at(-1)).toMatchObject({ action: 'deletion', outcome: 'gone' });
    },
  },
];

/**
 * Runs one instance through a scenario, in a process that ends at this effect and then in another process. Returns the
 * number of effects.
 */
async function play({ name, prepare, end, check }: Scenario, death?: number): Promise<number> {
  const id = await prepare(`${name}-${death ?? 'whole'}`);
  const before = await incarnation(id);
  calls.length = 0;
  const first = beginLife(compute, instanceControllers, death);
  if (death === undefined) await until(compute, id, end);
  else await compute.world.until(() => first.life.died, 60_000);
  await first.end();
  const { end: endSecond } = beginLife(compute, instanceControllers);
  const instance = await until(compute, id, end);
  await check(id, before);
  expect(instance?.status?.replacement).toBeUndefined();
  expect(await charges(compute, id)).toHaveLength(end === 'gone' ? 0 : 1);
  await compute.store.delete(ComputeInstance, id);
  await until(compute, id, 'gone');
  expect(await charges(compute, id)).toHaveLength(0);
  await endSecond();
  return first.life.cuts;
}

describe.each(scenarios)('a process that dies between any two effects of: $name', (scenario) => {
  it('leaves one server and one charge, or none, and the next process completes the work', async () => {
    const cuts = await play(scenario);
    expect(cuts).toBeGreaterThan(3);
    for (let death = 1; death <= cuts; death++) await play(scenario, death);
  });
});
