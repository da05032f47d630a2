import { defineMigration, objectsOf, type Migration } from '@unikorn/core/migration';
import { leaseMigration } from '@unikorn/core/parts';
import { inBatches, recordReference } from '@unikorn/core/references';
import { referenceOf } from '@unikorn/core/resource';
import type { Store } from '@unikorn/core/store';

import { holdingOf, holdsOf, kindsOf, settledClaim, userNameOf } from './holds/index.ts';
import { ComputeInstance } from './kinds/index.ts';

/** The changes of compute's stored data, oldest first. */
export const computeMigrations: readonly Migration[] = [
  defineMigration({
    name: 'compute-instance-references',
    run: async ({ store }) => {
      let some: ComputeInstance[] = [];
      for await (const instance of objectsOf(store, ComputeInstance)) {
        some.push(instance);
        if (some.length < 200) continue;
        await inBatches(some, (each) => recordHolds(store, each));
        some = [];
      }
      await inBatches(some, (each) => recordHolds(store, each));
    },
  }),
  leaseMigration({
    name: 'compute-leases-of-parts',
    from: 'compute-controllers',
    to: 'compute/instance-controller',
  }),
];

/** The existing resources that an instance uses. */
async function recordHolds(store: Store, instance: ComputeInstance): Promise<void> {
  const holding = holdingOf(instance);
  for (const { used, protects } of holdsOf(holding)) {
    const kind = kindsOf[used.what];
    const object = await store.get(kind, used.id);
    const holder = {
      reference: referenceOf(ComputeInstance, instance.metadata.name),
      name: userNameOf(holding),
      protects,
      claim: settledClaim,
    };
    if (object) await recordReference(store, kind, { name: used.id, labels: holding.labels }, holder);
  }
}
