import { Controller, done, lettingGo, related, type Provisioner, type Runnable } from '@unikorn/core/controller';
import type { DeletionRecorder } from '@unikorn/core/history';

import type { RegionContext } from '../context.ts';
import { serverUses, waitWhileUsed } from '../graph/index.ts';
import { Server, SSHCertificateAuthority } from '../kinds/index.ts';

/** An authority needs no provisioning. One in deletion waits for its users. */
function authorityProvisioner({ store }: Pick<RegionContext, 'store'>): Provisioner<typeof SSHCertificateAuthority> {
  return {
    provision: () => Promise.resolve(done()),
    deprovision: async ({ metadata }) => (await waitWhileUsed(store, SSHCertificateAuthority, metadata)) ?? done(),
  };
}

export function sshCertificateAuthorityControllers(
  context: RegionContext,
  history: DeletionRecorder,
): readonly Runnable[] {
  const authorities = context.caches.of(SSHCertificateAuthority);
  const usedBy = (server: Server) =>
    serverUses(server).flatMap(({ kind, id }) =>
      kind === SSHCertificateAuthority.id && authorities.get(id)?.metadata.deletionTimestamp !== undefined ? [id] : [],
    );
  return [
    new Controller(
      {
        name: 'ssh-certificate-authorities',
        kind: SSHCertificateAuthority,
        provisioner: authorityProvisioner(context),
        beforeRemoval: (authority) => history.recordDeletion(authority),
        related: [lettingGo(authorities), related(Server, usedBy)],
      },
      context,
    ),
  ];
}
