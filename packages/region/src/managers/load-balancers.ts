import { Controller, related, type Runnable } from '@unikorn/core/controller';
import type { DeletionRecorder } from '@unikorn/core/history';
import { labels } from '@unikorn/core/resource';

import type { RegionContext } from '../context.ts';
import { LoadBalancer, Network, Server } from '../kinds/index.ts';
import { waits } from '../limits.ts';
import { loadBalancerProvisioner } from '../provisioners/load-balancer.ts';

/**
 * Load balancers wait for their network. They check the health of a member again when its server changes, and from time
 * to time.
 */
export function loadBalancerControllers(context: RegionContext, history: DeletionRecorder): readonly Runnable[] {
  const balancers = context.caches.of(LoadBalancer);
  const byNetwork = balancers.index(({ metadata }) => [metadata.labels?.[labels.network] ?? '']);
  const byMember = balancers.index(({ metadata, spec }) =>
    spec.listeners.flatMap(({ pool }) => pool.members.map(({ address }) => place(metadata, address))),
  );
  return [
    new Controller(
      {
        name: 'load-balancers',
        kind: LoadBalancer,
        provisioner: loadBalancerProvisioner(context),
        beforeRemoval: (object) => history.recordDeletion(object),
        resync_ms: waits.memberHealth_ms,
        related: [
          related(Network, ({ metadata }) => byNetwork.names(metadata.name)),
          related(Server, ({ metadata, status }) =>
            status?.privateIP === undefined ? [] : byMember.names(place(metadata, status.privateIP)),
          ),
        ],
      },
      context,
    ),
  ];
}

/** The key contains the network, because different networks can have the same addresses. */
function place({ labels: carried }: { readonly labels?: Readonly<Record<string, string>> }, address: string): string {
  return `${carried?.[labels.network] ?? ''}/${address}`;
}
