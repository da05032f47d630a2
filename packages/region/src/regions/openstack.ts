import type { Store } from '@unikorn/core/store';
import type { Telemetry } from '@unikorn/core/telemetry';
import type { World } from '@unikorn/core/world';

import type { Region } from '../kinds/index.ts';
import { ProviderFailure } from '../provider/index.ts';
import { checkCloud, openstackProvider, OpenstackRegion } from '../providers/openstack/index.ts';
import { withConfirmedRemovals } from './confirmed-removals.ts';
import type { Offer } from './providers.ts';
import type { Secrets } from './secrets.ts';

/**
 * Regions in OpenStack. Their secret holds `domain-id`, `project-id`, `user-id` and `password`, and is read again while
 * the region is used.
 */
export function openstackRegions({
  store,
  world,
  telemetry,
  secrets,
}: {
  readonly store: Store;
  readonly world: World;
  readonly telemetry: Telemetry;
  readonly secrets: Secrets;
}): (region: Region) => Offer {
  return ({ metadata, spec: { openstack } }) => {
    if (!openstack) throw new ProviderFailure('invalid', 'the region has no settings for OpenStack');
    const { serviceAccountSecret, ...settings } = openstack;
    const secret = () => secrets.read(serviceAccountSecret);
    const region = new OpenstackRegion({ regionId: metadata.name, store, world, telemetry, settings, secret });
    return {
      tier: 'cloud',
      provider: withConfirmedRemovals(openstackProvider(region), world),
      noting: (note, work) => region.noting(note, work),
      check: () => checkCloud(region),
      close: () => region.close(),
    };
  };
}
