import { Controller, related, type ControllerContext, type Runnable } from '@unikorn/core/controller';
import type { DeletionRecorder } from '@unikorn/core/history';
import { findCondition } from '@unikorn/core/resource';

import type { RegionConfiguration } from '../configuration.ts';
import type { RegionContext } from '../context.ts';
import { Identity, Network, SecurityGroup, Server, SSHCertificateAuthority } from '../kinds/index.ts';
import { identityOf } from '../placement.ts';
import { isSettled, needsOf } from '../provisioners/server/needs.ts';
import { serverProvisioner } from '../provisioners/server.ts';
import { isSwitching } from '../servers/index.ts';

export function serverControllers(
  context: ControllerContext & Pick<RegionContext, 'providers'>,
  { serverCreateAttempts }: Pick<Required<RegionConfiguration>, 'serverCreateAttempts'>,
  history: DeletionRecorder,
): readonly Runnable[] {
  const waiting = context.caches
    .of(Server)
    .index((server) =>
      isSettled(server) ? [] : [identityOf(server.metadata).id, ...needsOf(server).map(({ id }) => id)],
    );
  const needs = [Identity, Network, SecurityGroup, SSHCertificateAuthority].map((kind) =>
    related(kind, ({ metadata }) => waiting.names(metadata.name)),
  );
  const seen = related(Server, (server) =>
    callsForAction(server, serverCreateAttempts) ? [server.metadata.name] : [],
  );
  return [
    new Controller(
      {
        name: 'servers',
        kind: Server,
        provisioner: serverProvisioner(context, serverCreateAttempts),
        related: [...needs, seen],
        beforeRemoval: (server) => history.recordDeletion(server),
      },
      context,
    ),
  ];
}

/**
 * Whether a status requires an action of the controller. It is checked for every status write, mostly by monitors, and
 * stays true until the controller has acted, so that a lost wake-up cannot leave a server behind.
 */
export function callsForAction({ status = {} }: Pick<Server, 'status'>, attempts: number): boolean {
  const givenUp = findCondition(status.conditions, 'Available')?.reason === 'Errored';
  const health = findCondition(status.conditions, 'Healthy')?.reason;
  if (status.missingSince !== undefined || status.rebuild?.state === 'Succeeded') return true;
  if (status.provisionedAt !== undefined && isSwitching(status)) return true;
  if (status.rebuild?.state === 'Failed') return !givenUp;
  if (health === 'Errored')
    return status.provisionedAt === undefined && (status.providerCreateFailures ?? 0) < attempts;
  // An operator repaired in the cloud what the controller had given up.
  return givenUp && health === 'Healthy';
}
