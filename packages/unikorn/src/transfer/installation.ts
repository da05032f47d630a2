import { Lease, liveHolders } from '@unikorn/core/controller';
import { Problem } from '@unikorn/core/errors';
import { leaseOf } from '@unikorn/core/parts';
import type { AdoptingStore, Store, StoredObject } from '@unikorn/core/store';
import { createTelemetry, type Telemetry } from '@unikorn/core/telemetry';
import { storeSource, type ObjectSource } from '@unikorn/core/transfer';
import type { World } from '@unikorn/core/world';

import { partTable } from '../parts/table.ts';
import { controlPlaneKinds } from '../serve/control-plane.ts';
import { version } from '../version.ts';

const leases = partTable.map(({ name }) => leaseOf(name));

/** Other tools can have leases in the same namespace. */
export function isOurs({ kind, object }: StoredObject): boolean {
  return kind.id !== Lease.id || leases.includes(object.metadata.name);
}

/** All objects of an installation. */
export function installationIn(store: Store): ObjectSource {
  return storeSource(store, controlPlaneKinds, isOurs);
}

/** Throws if processes of an installation use the store. A state in a file has a lock, so it needs no other check. */
export async function assertStopped(store: Store, world: World): Promise<void> {
  if (store.sole) return;
  const holders = await liveHolders({ store, world }, leases);
  if (holders.length > 0)
    throw new Problem(
      'conflict',
      `the installation is in use by ${holders.join(', ')}: stop all its processes first; in a cluster, scale its Deployments to 0`,
    );
}

export type TargetStore = Store & AdoptingStore;

/** Tools report to the terminal, and not to a log. */
export function silence(world: World): Telemetry {
  return createTelemetry({
    service: 'unikorn',
    version,
    world,
    log: { level: 'silent' },
    tracing: { samplingRatio: 0 },
  });
}
