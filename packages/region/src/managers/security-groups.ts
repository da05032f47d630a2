import { Controller, lettingGo, related, type Runnable } from '@unikorn/core/controller';
import type { DeletionRecorder } from '@unikorn/core/history';
import { labels } from '@unikorn/core/resource';

import type { RegionContext } from '../context.ts';
import { serverUses } from '../graph/index.ts';
import { Identity, SecurityGroup, Server } from '../kinds/index.ts';
import { securityGroupProvisioner } from '../provisioners/security-group.ts';
import { missedByServers } from './missed.ts';

/** Security groups wait for their principal. Those in deletion wait for their users. */
export function securityGroupControllers(context: RegionContext, history: DeletionRecorder): readonly Runnable[] {
  const groups = context.caches.of(SecurityGroup);
  const byIdentity = groups.index(({ metadata }) => [metadata.labels?.[labels.identity] ?? '']);
  const isLeaving = (id: string) => groups.get(id)?.metadata.deletionTimestamp !== undefined;
  const usedBy = (server: Server) =>
    serverUses(server).flatMap(({ kind, id }) => (kind === SecurityGroup.id ? [id] : []));
  return [
    new Controller(
      {
        name: 'security-groups',
        kind: SecurityGroup,
        provisioner: securityGroupProvisioner(context),
        beforeRemoval: (object) => history.recordDeletion(object),
        related: [
          related(Identity, ({ metadata }) => byIdentity.names(metadata.name)),
          related(Server, (server) => usedBy(server).filter(isLeaving)),
          missedByServers(SecurityGroup),
          lettingGo(groups),
        ],
      },
      context,
    ),
  ];
}
