import { done, readiness, type DomainCondition, type Provisioner, type StatusPatch } from '@unikorn/core/controller';
import { defined } from '@unikorn/core/defined';
import type { SpecOf } from '@unikorn/core/kinds';
import { labels } from '@unikorn/core/resource';

import type { RegionContext } from '../context.ts';
import { LoadBalancer, Network } from '../kinds/index.ts';
import { identityOf, labelOf, placementOf, principalOf } from '../placement.ts';
import type { ObservedLoadBalancer, ObservedMember, WantedLoadBalancer } from '../provider/index.ts';
import { attempted, whileBusy } from '../regions/index.ts';

/** Provisions a load balancer in its network. The charge is released after the cloud has released its addresses. */
export function loadBalancerProvisioner({
  store,
  providers,
  identityClient,
}: Pick<RegionContext, 'store' | 'providers' | 'identityClient'>): Provisioner<typeof LoadBalancer> {
  return {
    async provision({ metadata, spec }) {
      const networkId = labelOf(metadata, labels.network);
      const blocked = readiness(Network, networkId, await store.get(Network, networkId));
      if (blocked) return blocked;
      return attempted(async () => {
        const cloud = await providers.cloudOf(labelOf(metadata, labels.region));
        const ensured = await cloud.loadBalancers.ensure(
          identityOf(metadata),
          wantedLoadBalancer(metadata.name, networkId, spec),
        );
        const addresses = addressesOf(ensured.observed);
        if (ensured.state === 'pending') return whileBusy(ensured, addresses);
        return done({ ...addresses, conditions: [memberHealth(ensured.observed.members)] });
      });
    },
    async deprovision({ metadata }) {
      return attempted(async () => {
        const cloud = await providers.cloudOf(labelOf(metadata, labels.region));
        const removed = await cloud.loadBalancers.remove(identityOf(metadata), { id: metadata.name });
        if (removed.state === 'pending') return whileBusy(removed);
        await identityClient.release(principalOf(metadata), placementOf(metadata), {
          kind: LoadBalancer.id,
          id: metadata.name,
        });
        return done();
      });
    },
  };
}

function wantedLoadBalancer(
  id: string,
  networkId: string,
  { requestedVIPAddress, publicIP, listeners }: SpecOf<typeof LoadBalancer>,
): WantedLoadBalancer {
  return {
    id,
    networkId,
    ...defined({ requestedVIPAddress }),
    publicIP: publicIP ? 'wanted' : 'unwanted',
    listeners: listeners.map(({ allowedCIDRs = [], ...listener }) => ({ ...listener, allowedCIDRs })),
  };
}

/** A public address that no longer exists is removed from the status. */
function addressesOf({ vipAddress, publicIP }: ObservedLoadBalancer): StatusPatch<typeof LoadBalancer> {
  return { vipAddress, publicIP };
}

/**
 * The health of a load balancer depends on its members with health checks. A load balancer without members is healthy.
 */
export function memberHealth(members: readonly ObservedMember[]): DomainCondition {
  const checked = members.filter(({ health }) => health !== 'unmonitored');
  const answering = checked.filter(({ health }) => health === 'online').length;
  const counted = `${answering} of ${checked.length} members answer`;
  if (answering < checked.length) return { type: 'Healthy', status: 'False', reason: 'Degraded', message: counted };
  const uncounted = members.length === 0 ? 'it has no members' : 'its members have no health checks';
  return { type: 'Healthy', status: 'True', reason: 'Healthy', message: checked.length === 0 ? uncounted : counted };
}
