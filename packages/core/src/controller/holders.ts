import { limits } from '../limits.ts';
import { objectsOf } from '../migration/index.ts';
import type { Store } from '../store/index.ts';
import type { World } from '../world/index.ts';
import { Lease } from './lease.ts';

/**
 * The processes that hold leases with these names now. A process that was killed leaves its lease behind, so the leases
 * are observed for their whole duration if some are held. Clocks of other machines are not trusted.
 *
 * @example const holders = await liveHolders({ store, world }, partTable.map(({ name }) => leaseOf(name)));
 */
export async function liveHolders(
  { store, world }: { readonly store: Store; readonly world: World },
  names: readonly string[],
): Promise<readonly string[]> {
  const held = async () => {
    const renewals = new Map<string, { readonly holder: string; readonly renewal: string | undefined }>();
    for await (const { metadata, spec } of objectsOf(store, Lease))
      if (names.includes(metadata.name) && spec.holderIdentity)
        renewals.set(metadata.name, { holder: spec.holderIdentity, renewal: spec.renewTime });
    return renewals;
  };
  const before = await held();
  if (before.size === 0) return [];
  await world.sleep(limits.lease_ms);
  const alive = [...(await held())].filter(([name, { renewal }]) => before.get(name)?.renewal !== renewal);
  return [...new Set(alive.map(([, { holder }]) => holder))];
}
