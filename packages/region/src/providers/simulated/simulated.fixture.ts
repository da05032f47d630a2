import { openMemoryStore } from '@unikorn/core/store/sqlite';
import { virtualWorld } from '@unikorn/core/testing';
import type { VirtualWorld } from '@unikorn/core/world';

import type { CloudProvider } from '../../provider/index.ts';
import type { ProviderUnderTest } from '../../provider/conformance/index.ts';
import { simulatedKinds, simulatedOperator, simulatedProvider, type Knobs } from './index.ts';

export const standardFlavor = '11111111-1111-1111-1111-111111111111';
export const ubuntuImage = '33333333-3333-3333-3333-333333333333';
export const debianImage = 'cccccccc-cccc-4ccc-8ccc-cccccccccccc';

/** An empty simulated region in its own world. */
export function openSimulation(seed = 1) {
  const world = virtualWorld(seed);
  const store = openMemoryStore({ world, kinds: simulatedKinds });
  const region = { store, world, regionId: 'c7f3b8a0-0000-4000-8000-000000000001' };
  return { world, store, region, provider: simulatedProvider(region), operator: simulatedOperator(region) };
}

/** Advances the world until a call returns. */
export async function answered<T>(world: VirtualWorld, call: Promise<T>): Promise<T> {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  call.then(settle, settle);
  await world.until(() => settled);
  return call;
}

/** The simulated provider for the conformance suite, with these settings. */
export async function underTest(knobs: Partial<Knobs>, seed?: number): Promise<ProviderUnderTest> {
  const { world, store, region, provider, operator } = openSimulation(seed);
  await operator.turn(knobs);
  return {
    provider,
    restarted: () => simulatedProvider(region),
    materials: {
      flavorId: standardFlavor,
      imageId: ubuntuImage,
      otherImageId: debianImage,
      imageUri: 'https://images.example.com/noble.raw',
    },
    several: 12,
    freshId: () => world.uuid(),
    run: (call) => answered(world, call),
    pause: () => world.advance(1000),
    lose: async (call: (provider: CloudProvider) => Promise<unknown>) => {
      const before = await operator.turn({});
      await operator.turn({ errorRate: 0, lostResponseRate: 1 });
      await answered(world, call(provider)).catch(() => undefined);
      await operator.turn(before);
    },
    close: () => store.close(),
  };
}
