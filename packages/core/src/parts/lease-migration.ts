import { Lease } from '../controller/lease.ts';
import { isProblem } from '../errors/index.ts';
import { defineMigration, type Migration } from '../migration/index.ts';
import { leaseOf, type PartName } from './part.ts';

export interface LeaseMigration {
  /** The name of the migration. */
  readonly name: string;
  /** The lease that an earlier version held. */
  readonly from: string;
  /** The part that reads its predecessor from its lease. */
  readonly to?: PartName;
}

/**
 * Removes a lease that an earlier version held for all controllers of a service.
 *
 * @example leaseMigration({ name: 'identity-leases-of-parts', from: 'identity-controllers' })
 */
export function leaseMigration({ name, from, to }: LeaseMigration): Migration {
  return defineMigration({
    name,
    run: async ({ store }) => {
      const old = await store.get(Lease, from);
      if (!old) return;
      if (to !== undefined) {
        try {
          await store.create(Lease, { metadata: { name: leaseOf(to) }, spec: old.spec });
        } catch (thrown) {
          // An earlier run of this migration created it and was interrupted.
          if (!isProblem(thrown, 'conflict')) throw thrown;
        }
      }
      await store.delete(Lease, from);
    },
  });
}
