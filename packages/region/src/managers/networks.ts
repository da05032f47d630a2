import { Controller, lettingGo, related, type Runnable } from '@unikorn/core/controller';
import type { DeletionRecorder } from '@unikorn/core/history';
import { labels } from '@unikorn/core/resource';

import type { RegionContext } from '../context.ts';
import { Identity, Network } from '../kinds/index.ts';
import { networkProvisioner } from '../provisioners/network.ts';
import { missedByServers } from './missed.ts';

/**
 * Networks wait for their principal. A network in deletion is woken when everything in it is removed, and when a
 * reference is removed.
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
