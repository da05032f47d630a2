import { done, readiness, yieldFor, type Provisioner } from '@unikorn/core/controller';
import type { Store } from '@unikorn/core/store';
import { timestamp, type World } from '@unikorn/core/world';

import { Lot, type Permit } from '../kinds/index.ts';
import { releaseSpace } from '../sagas/create-permit.ts';
import type { Gate } from './gate.ts';

export interface PermitDeps {
  readonly store: Store;
  readonly world: World;
  readonly gate: Gate;
}

/** Registers a permit at the gate. Its space is released after the gate has removed the car. */
export function permitProvisioner({ store, world, gate }: PermitDeps): Provisioner<typeof Permit> {
  return {
    async provision({ metadata, spec, status }) {
      const blocked = readiness(Lot, spec.lotId, await store.get(Lot, spec.lotId));
      if (blocked) return blocked;
      if (!(await gate.admit(metadata.name, spec.plate)))
        return yieldFor({ message: 'the gate is registering the plate', after_ms: 500 });
      return done({
        admittedAt: status?.admittedAt ?? timestamp(world.now()),
        conditions: [{ type: 'Healthy', status: 'True', reason: 'Healthy', message: 'the gate opens for the car' }],
      });
    },
    async deprovision({ metadata, spec }) {
      await gate.expel(metadata.name);
      await releaseSpace(store, spec.lotId, metadata.name);
      return done();
    },
  };
}
