import { done, type Provisioner } from '@unikorn/core/controller';
import { defined } from '@unikorn/core/defined';
import type { SpecOf } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

import type { RegionContext } from '../context.ts';
import { deletePrincipal, waitForOwned, waitWhileUsed } from '../graph/index.ts';
import { Identity, Network } from '../kinds/index.ts';
import { effectiveReservations } from '../network/index.ts';
import { identityOf, labelOf, placementOf, principalOf } from '../placement.ts';
import type { WantedNetwork } from '../provider/index.ts';
import { attempted, whileBusy } from '../regions/index.ts';
import { principalReadiness } from './principal.ts';

/**
 * Provisions a network under its principal. It was charged before it was stored, and the charge is released after the
 * cloud has deleted it, so no charge is needed in between.
 */
export function networkProvisioner({
  store,
  providers,
  identityClient,
}: Pick<RegionContext, 'store' | 'providers' | 'identityClient'>): Provisioner<typeof Network> {
  return {
    async provision({ metadata, spec }) {
      const reference = identityOf(metadata);
      const blocked = principalReadiness(reference.id, await store.get(Identity, reference.id));
      if (blocked) return blocked;
      return attempted(async () => {
        const cloud = await providers.cloudOf(labelOf(metadata, labels.region));
        const ensured = await cloud.networks.ensure(reference, wantedNetwork(metadata.name, spec));
        if (ensured.state === 'pending') return whileBusy(ensured);
        return done({
          provider: ensured.observed,
          conditions: [{ type: 'Healthy', status: 'True', reason: 'Healthy', message: 'it is ready in the cloud' }],
        });
      });
    },
    async deprovision({ metadata }) {
      await deletePrincipal(store, metadata);
      const waiting = (await waitForOwned(store, Network, metadata)) ?? (await waitWhileUsed(store, Network, metadata));
      if (waiting) return waiting;
      return attempted(async () => {
        const cloud = await providers.cloudOf(labelOf(metadata, labels.region));
        const removed = await cloud.networks.remove(identityOf(metadata), { id: metadata.name });
        if (removed.state === 'pending') return whileBusy(removed);
        await identityClient.release(principalOf(metadata), placementOf(metadata), {
          kind: Network.id,
          id: metadata.name,
        });
        return done();
      });
    },
  };
}

export function wantedNetwork(
  id: string,
  { prefix, reservations, dnsNameservers, routes = [] }: SpecOf<typeof Network>,
): WantedNetwork {
  const { prefixLength, providerReservedPrefixLength } = effectiveReservations(reservations);
  return {
    id,
    prefix,
    reservations: {
      prefixLength,
      ...defined({ providerReservedPrefixLength }),
    },
    dnsNameservers,
    routes,
  };
}
