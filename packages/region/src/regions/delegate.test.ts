import { expect, it } from 'vitest';

import { Turns } from '@unikorn/core/turns';
import { virtualWorld } from '@unikorn/core/testing';

import type { Flavor, InventoryProvider, VolumeClass } from '../provider/index.ts';
import { withCallLimit } from './call-limit.ts';
import { withLastKnown } from './last-known.ts';
import { Silence } from './silence.ts';

/** A provider as a class: its methods are on the prototype, and need their object. */
class Inventory implements InventoryProvider {
  readonly #classes: readonly VolumeClass[] = [
    { id: 'c', name: 'fast', description: '', media: 'nvme', encrypted: false },
  ];

  flavors(): Promise<readonly Flavor[]> {
    return Promise.resolve([]);
  }

  volumeClasses(): Promise<readonly VolumeClass[]> {
    return Promise.resolve(this.#classes);
  }
}

it('a provider that is an instance of a class keeps its methods behind the call limit and the cached catalogue', async () => {
  const world = virtualWorld();
  const { provider } = withLastKnown(
    withCallLimit({ tier: 'inventory', provider: new Inventory() }, new Turns(world, 1), new Silence(world)),
    world,
  );
  expect(await provider.volumeClasses()).toMatchObject([{ id: 'c' }]);
});
