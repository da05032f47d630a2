import { Controller, lettingGo, related, type Runnable } from '@unikorn/core/controller';
import type { DeletionRecorder } from '@unikorn/core/history';
import { labels } from '@unikorn/core/resource';

import type { RegionContext } from '../context.ts';
import { Identity, Network } from '../kinds/index.ts';
import { networkProvisioner } from '../provisioners/network.ts';
import { missedByServers } from './missed.ts';

/**
 * Networks wait for their principal. One that is being deleted is woken by the store when all in it is gone, and by
 * those who let go of it.
 */
export function networkControllers(context: RegionContext, history: DeletionRecorder): readonly Runnable[] {
  const networks = context.caches.of(Network);
  const byIdentity = networks.index(({ metadata }) => [metadata.labels?.[labels.identity] ?? '']);
  const principals = related(Identity, ({ metadata }) => byIdentity.names(metadata.name));
  return [
    new Controller(
      {
        name: 'networks',
        kind: Network,
        provisioner: networkProvisioner(context),
        beforeRemoval: (object) => history.recordDeletion(object),
        related: [principals, missedByServers(Network), lettingGo(networks)],
      },
      context,
    ),
  ];
}
